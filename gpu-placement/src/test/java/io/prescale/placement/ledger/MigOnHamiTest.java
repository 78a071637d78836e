package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.prescale.placement.inventory.HamiAnnotations;
import io.prescale.placement.inventory.IndependentDecoder;
import io.prescale.placement.inventory.IndependentDecoder.Device;
import io.prescale.placement.inventory.IndependentDecoder.Instance;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Container;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Cards that HAMi registers in MIG mode: read, decided, written, and decoded by another program.
 */
class MigOnHamiTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String MIG = "hami.io/vgpu-mig-allocations";

  private final Ledger ledger = new Ledger(10);

  private static PodFacts share(String name, long memory) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", memory));
  }

  private Candidates offer(PodFacts pod, String... nodes) {
    ledger.seen(pod);
    return ledger.candidates(pod, List.of(nodes), true, NOW, _ -> 0);
  }

  private Map<String, String> bound(PodFacts pod, String node) {
    assertThat(offer(pod, node)).isEqualTo(new Candidates.Nodes(List.of(node)));
    var bind = (Decision.Bind) ledger.decide(pod.uid(), node, NOW);
    var chosen = bind.cards().orElseThrow();
    var annotations = HamiAnnotations.of(chosen.family(), chosen.devices(), node, NOW);
    ledger.seen(Pods.bound(pod, node, annotations));
    return annotations;
  }

  @Test
  void givesTheLeastInstanceThatHoldsTheMemoryAndSaysWhereItIs() {
    ledger.seen(Nodes.mig("m", 1));

    var annotations = bound(share("p", 8000), "m");

    assertThat(IndependentDecoder.decodeMig(annotations.getOrDefault(MIG, "")))
        .containsExactly(new Instance(0, 0, "GPU-m-0", "2g.10gb", 0, 2));
    assertThat(
            IndependentDecoder.decode(
                annotations.getOrDefault("hami.io/vgpu-devices-to-allocate", "")))
        .containsExactly(new Device(0, "GPU-m-0", "NVIDIA", 9856, 28));
  }

  @Test
  void theInitContainerHasTheInstanceOfTheContainerAfterIt() {
    ledger.seen(Nodes.mig("m", 1));
    var asked = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 4000L);
    var pod =
        Pods.of(
            "p",
            List.of(new Container("i", true, asked), new Container("c", false, asked)),
            Map.of());

    assertThat(IndependentDecoder.decodeMig(bound(pod, "m").getOrDefault(MIG, "")))
        .containsExactly(
            new Instance(0, 0, "GPU-m-0", "1g.5gb", 6, 1),
            new Instance(1, 0, "GPU-m-0", "1g.5gb", 6, 1));
    for (int other = 0; other < 6; other++) {
      bound(share("q" + other, 4000), "m");
    }
    assertThat(offer(share("late", 4000), "m")).isInstanceOf(Candidates.Nowhere.class);
  }

  private static PodFacts several(String name, long instances) {
    return Pods.asking(name, Map.of("nvidia.com/gpu", instances, "nvidia.com/gpumem", 4000L));
  }

  private List<Instance> instances(PodFacts pod) {
    return IndependentDecoder.decodeMig(bound(pod, "m").getOrDefault(MIG, ""));
  }

  @Test
  void aCardGivesAPodSeveralInstances() {
    ledger.seen(Nodes.mig("m", 1));

    assertThat(instances(several("three", 3)))
        .extracting(Instance::uuid, Instance::profile, Instance::start)
        .containsExactly(
            tuple("GPU-m-0", "1g.5gb", 6),
            tuple("GPU-m-0", "1g.5gb", 4),
            tuple("GPU-m-0", "1g.5gb", 5));
    assertThat(reason(several("five", 5))).isEqualTo("lacks room for the MIG profile");
    assertThat(instances(several("four", 4))).extracting(Instance::start).contains(0, 1, 2, 3);
    assertThat(reason(share("late", 4000))).isEqualTo("lacks a free slot");
    ledger.podGone("uid-three");
    bound(several("again", 3), "m");
  }

  @Test
  void instancesAreOnCardsOfTheirOwnWhereThereAreAsMany() {
    ledger.seen(Nodes.mig("m", 2));

    assertThat(instances(several("two", 2)))
        .extracting(Instance::uuid)
        .containsExactly("GPU-m-0", "GPU-m-1");
    assertThat(instances(several("ten", 10)))
        .extracting(Instance::uuid, Instance::start)
        .doesNotHaveDuplicates()
        .hasSize(10);
    assertThat(reason(several("three", 3))).isEqualTo("lacks room for the MIG profile");
    bound(several("last", 2), "m");
  }

  @Test
  void linkedInstancesAreOnCardsOfTheirOwn() {
    ledger.seen(Nodes.mig("m", 1));
    var pod =
        Pods.of(
            "linked",
            several("linked", 2).containers(),
            Map.of("gpu.prescale.io/required-links", "nvlink"));

    assertThat(reason(pod)).isEqualTo("has too few GPUs");
  }

  @Test
  void saysWhyAnInstanceIsNotThere() {
    ledger.seen(Nodes.mig("m", 1));
    bound(share("p", 19_000), "m");
    bound(share("q", 19_000), "m");

    assertThat(reason(share("full", 4000))).isEqualTo("lacks room for the MIG profile");
    assertThat(reason(share("huge", 40_900))).isEqualTo("has GPUs that are divided in another way");
    assertThat(reason(Pods.asking("whole", Map.of("nvidia.com/gpu", 1L))))
        .isEqualTo("has GPUs that are divided in another way");
  }

  private String reason(PodFacts pod) {
    return ((Candidates.Nowhere) offer(pod, "m")).reasons().getOrDefault("m", "");
  }

  @Test
  void aPodThatWantsAnotherModeIsNotPutThere() {
    ledger.seen(Nodes.mig("m", 1));
    ledger.seen(Nodes.a100("a", 1));
    var asked = Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpumem", 4000L);
    for (var wanted : Map.of("hami-core", "a", "mig", "m").entrySet()) {
      var pod =
          Pods.of(
              wanted.getKey(),
              List.of(new Container("c", false, asked)),
              Map.of("nvidia.com/vgpu-mode", wanted.getKey()));

      assertThat(offer(pod, "a", "m")).isEqualTo(new Candidates.Nodes(List.of(wanted.getValue())));
    }
  }

  @Test
  void placesOfPodsThatContradictEachOtherAreTakenUntilBothHaveGone() {
    ledger.seen(Nodes.mig("m", 1));
    var one = bound(share("one", 19_000), "m");
    ledger.seen(Pods.bound(share("other", 19_000), "m", one));

    assertThat(reason(share("third", 19_000))).isEqualTo("lacks room for the MIG profile");
    ledger.podGone("uid-one");
    bound(share("third", 19_000), "m");
    assertThat(reason(share("fourth", 19_000))).isEqualTo("lacks room for the MIG profile");
    ledger.podGone("uid-other");
    bound(share("fourth", 19_000), "m");
  }

  /** Arrivals and departures at random: no two instances of a card ever overlap. */
  @Test
  void instancesNeverOverlapWhoeverComesAndGoes() {
    ledger.seen(Nodes.mig("m", 2));
    var random = new SplittableRandom(20261121);
    var held = new ArrayList<Map.Entry<PodFacts, Instance>>();
    for (int turn = 0; turn < 2000; turn++) {
      if (random.nextInt(3) == 0 && !held.isEmpty()) {
        var leaving = held.remove(random.nextInt(held.size()));
        ledger.podGone(leaving.getKey().uid());
        continue;
      }
      var pod = share("p" + turn, random.nextLong(1, 40_192));
      if (offer(pod, "m") instanceof Candidates.Nodes) {
        held.add(
            Map.entry(
                pod,
                IndependentDecoder.decodeMig(bound(pod, "m").getOrDefault(MIG, "")).getFirst()));
      } else {
        ledger.podGone(pod.uid());
      }
      assertThat(held)
          .allSatisfy(
              one ->
                  assertThat(held)
                      .noneMatch(
                          other ->
                              !one.equals(other) && overlap(one.getValue(), other.getValue())));
    }
    assertThat(held).hasSizeGreaterThan(3);
  }

  private static boolean overlap(Instance one, Instance other) {
    return one.uuid().equals(other.uuid())
        && one.start() < other.start() + other.size()
        && other.start() < one.start() + one.size();
  }

  @Test
  void onePodLeavesForTwoInstancesOfItsCard() {
    ledger.seen(Nodes.mig("m", 1));
    bound(share("large", 39_000), "m");
    var asks = Map.of("nvidia.com/gpu", 2L, "nvidia.com/gpumem", 4000L);
    var important = Pods.withPriority(Pods.asking("important", asks), 10);

    assertThat(Victims.on(ledger, important, "m", List.of(), Set.of()))
        .contains(List.of("uid-large"));
  }
}
