package io.prescale.placement.claims;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.claims.Claim.Request;
import io.prescale.placement.cluster.NodeSpec.Readiness;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClaimLedgerTest {
  private final FakeCluster cluster = new FakeCluster();

  @Test
  void pinsInThreeWritesAndWaitsForKubernetesBetween() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();

    var pinned = (Step.Pinned) only(ledger);
    assertThat(pinned.driver()).isEqualTo(Devices.DRIVER);
    assertThat(pinned.pin()).isEqualTo(new Claim.Pin("node", List.of("node-0")));
    assertThat(ledger.steps(cluster.now)).as("booked").isEmpty();
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(20 * 1024);
    write(ledger, pinned);

    var replaced = (Step.Replaced) only(ledger);
    assertThat(replaced.claim().pin()).isEmpty();
    write(ledger, replaced);
    assertThat(ledger.steps(cluster.now)).as("the pod still names the old claim").isEmpty();
    cluster.makeClaims();
    cluster.tell(ledger, Map.of());

    var released = (Step.Released) only(ledger);
    write(ledger, released);
    assertThat(ledger.steps(cluster.now)).isEmpty();
    cluster.schedule();
    cluster.tell(ledger, Map.of());
    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(20 * 1024);
    assertThat(cluster.claims()).hasSize(1);
  }

  /** However the writes, Kubernetes' work and crashes follow each other, the end is the same. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void aCrashAfterAnyWriteLosesNothingAndHoldsNothingTwice(long seed) {
    var random = new Random(seed);
    for (int node = 0; node < 3; node++) {
      cluster.slice(Devices.sharedCards("node-" + node, 4));
    }
    for (int pod = 0; pod < 24; pod++) {
      cluster.pod("pod-" + pod, Devices.shares(40, 50));
    }
    var ledger = cluster.ledger();
    for (int round = 0; round < 2_000 && !isDone(); round++) {
      var before = Map.copyOf(cluster.claims());
      for (var step : ledger.steps(cluster.now)) {
        if (random.nextInt(3) > 0) {
          cluster.write(step);
        } else if (step instanceof Step.Pinned) {
          ledger.failed(step.pod().uid(), cluster.now);
        }
        if (random.nextInt(10) == 0) {
          ledger = cluster.ledger();
          before = Map.copyOf(cluster.claims());
          break;
        }
      }
      if (random.nextBoolean()) {
        cluster.makeClaims();
      }
      if (random.nextBoolean()) {
        cluster.schedule();
      }
      cluster.tell(ledger, before);
      cluster.now = cluster.now.plusMillis(1);
    }

    assertThat(isDone()).as("24 halves fill 12 cards").isTrue();
    assertThat(cluster.claims()).as("one claim a pod").hasSize(24);
    assertThat(heldGibibytes()).hasSize(12).allSatisfy((_, sum) -> assertThat(sum).isEqualTo(80));
  }

  @Test
  void pinsNothingToCardsThatADevicePluginRegistersUntilItDoesNotAnyMore() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.pod("pod", Devices.request("gpu", 2, List.of(), Devices.share(20, 25)));
    var ledger = cluster.ledger();
    ledger.registered(Map.of("node-1", "node", "other", "node"));

    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.problems())
        .isEqualTo(
            Map.of(
                "node",
                List.of(
                    "device gpu.example.com/node/gpu-1 is not used: the device plugin of node node"
                        + " registers its UUID node-1.")));
    assertThat(ledger.totals().cards()).isEqualTo(1);

    ledger.registered(Map.of());
    assertThat(ledger.problems()).isEmpty();
    assertThat(only(ledger)).isInstanceOf(Step.Pinned.class);
  }

  private boolean isDone() {
    return cluster.pods().values().stream().allMatch(ClaimPod::bound)
        && cluster.claims().size() == cluster.pods().size();
  }

  private Map<String, Integer> heldGibibytes() {
    var sums = new HashMap<String, Integer>();
    for (var claim : cluster.claims().values()) {
      for (var held : claim.held()) {
        var memory = held.consumed().getOrDefault("memory", BigDecimal.ZERO);
        sums.merge(
            held.device().toString(), memory.divide(Devices.GIBIBYTE).intValue(), Integer::sum);
      }
    }
    return sums;
  }

  @Test
  void anAllocationThatCameBetweenStays() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.slice(Devices.sharedCards("other", 2));
    cluster.pod("pod", Devices.shares(80, 100));
    var ledger = cluster.ledger();
    settle(ledger);
    cluster.replace("pod", cluster.pod("pod").current(), false, true, false);
    cluster.now = cluster.now.plus(NextSteps.UNTIL_ELSEWHERE).plusSeconds(1);
    cluster.tell(ledger, Map.of());
    var first = cluster.claimOf("pod").key();
    write(ledger, only(ledger));
    cluster.allocate(first); // kube-scheduler was about to
    cluster.tell(ledger, Map.of());

    var step = (Step.Replaced) only(ledger);

    assertThat(step.claim().key()).as("the one that nobody needs").isNotEqualTo(first);
    write(ledger, step);
    assertThat(cluster.claimOf("pod").key()).isEqualTo(first);
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(80 * 1024);
  }

  @Test
  void whatTheSchedulerRefusesGoesToAnotherNodeAfterAWhile() {
    cluster.slice(Devices.sharedCards("node-a", 1));
    cluster.slice(Devices.sharedCards("node-b", 1));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();
    settle(ledger);
    assertThat(cluster.claimOf("pod").pin().orElseThrow().node()).isEqualTo("node-a");
    cluster.replace("pod", cluster.pod("pod").current(), false, true, false);
    cluster.tell(ledger, Map.of());
    assertThat(ledger.steps(cluster.now)).as("not at once").isEmpty();

    cluster.now = cluster.now.plus(NextSteps.UNTIL_ELSEWHERE).plusSeconds(1);
    settle(ledger);

    assertThat(cluster.claimOf("pod").pin().orElseThrow().node()).isEqualTo("node-b");
    assertThat(cluster.claims()).hasSize(1);
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(20 * 1024);
  }

  @Test
  void whereNoOtherNodeHasRoomTheClaimStaysAndTheReasonIsSaid() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();
    settle(ledger);
    cluster.replace("pod", cluster.pod("pod").current(), false, true, false);
    cluster.now = cluster.now.plus(NextSteps.UNTIL_ELSEWHERE).plusSeconds(1);
    cluster.tell(ledger, Map.of());

    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.waiting())
        .containsEntry("ns/pod", "kube-scheduler refuses it on every node that has room for it");
  }

  @Test
  void cardsOfClaimsThatOthersMadeAreTaken() {
    cluster.slice(
        Devices.slice("node", Devices.whole("gpu-0", "u0"), Devices.whole("gpu-1", "u1")));
    cluster.pod("pod", Devices.request("gpu", 1, List.of(), Map.of()));
    var ledger = cluster.ledger();
    ledger.claimSeen(foreign("gpu-0"));

    assertThat(((Step.Pinned) only(ledger)).pin().uuids()).containsExactly("u1");
    ledger.failed("pod", cluster.now);
    cluster.now = cluster.now.plusMillis(1);
    ledger.claimGone(new Claim.Key("other", "claim"));
    assertThat(((Step.Pinned) only(ledger)).pin().uuids()).containsExactly("u0");
  }

  private static Claim foreign(String device) {
    return new Claim(
        new Claim.Key("other", "claim"),
        "uid",
        "1",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(new Claim.Held(new Device.Address(Devices.DRIVER, "node", device), Map.of())),
        Instant.EPOCH);
  }

  @Test
  void aClaimIsCountedWhenItsCardsAreSeenLater() {
    cluster.slice(Devices.sharedCards("node", 1));
    var ledger = cluster.ledger();
    ledger.sliceGone("node");
    ledger.claimSeen(foreign("gpu-0"));
    assertThat(ledger.totals().pods()).isZero();

    ledger.sliceSeen("node", Devices.slice("node", Devices.whole("gpu-0", "u0")));

    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(80 * 1024);
    ledger.nodeGone("node");
    assertThat(ledger.totals().cards()).isZero();
  }

  @Test
  void sickCardsAndCordonedNodesAreAvoided() {
    cluster.slice(Devices.slice("a", Devices.sick("gpu-0", "sick"), Devices.shared("gpu-1", "ok")));
    cluster.slice(Devices.sharedCards("b", 1));
    cluster.pod("pod", Devices.shares(80, 100));
    cluster.pod("pod-2", Devices.shares(80, 100));
    var ledger = cluster.ledger();
    ledger.nodeSeen("b", Readiness.CORDONED);

    var steps = ledger.steps(cluster.now);

    assertThat(steps).hasSize(1);
    assertThat(((Step.Pinned) steps.getFirst()).pin().uuids()).containsExactly("ok");
    assertThat(ledger.waiting().get("ns/pod-2")).startsWith("no node has room: ");
    ledger.nodeSeen("b", Readiness.READY);
    assertThat(ledger.steps(cluster.now)).hasSize(1);
  }

  @Test
  void aTaintedCardIsForWhomTolerationsCoverAllOfItsTaints() {
    cluster.slice(Devices.slice("a", Devices.sick("gpu-0", "sick")));
    cluster.pod("pod", tolerating("example.com/xid", "78"));
    var ledger = cluster.ledger();
    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.waiting().get("ns/pod")).startsWith("no node has room: ");
    cluster.pod("pod-2", tolerating("example.com/xid", "79"));
    cluster.tell(ledger, Map.of());

    assertThat(((Step.Pinned) only(ledger)).pin().uuids()).containsExactly("sick");
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(20 * 1024);
  }

  private static Request tolerating(String key, String value) {
    var one = Devices.shares(20, 25);
    var is = new Taint.Toleration(Optional.of(key), Optional.of(value), Optional.empty());
    return new Request("gpu", 1, List.of(), one.capacity(), List.of(is), one.links());
  }

  @Test
  void aRuleTaintsTheDevicesThatItSelectsUntilItIsGone() {
    cluster.slice(Devices.sharedCards("node", 2));
    cluster.pod("pod", Devices.shares(20, 25));
    var ledger = cluster.ledger();
    ledger.taintRuleSeen(
        "rule",
        new Taint.Rule(
            Optional.of(Devices.DRIVER), Optional.empty(), Optional.of("gpu-0"), Devices.SICK));

    assertThat(((Step.Pinned) only(ledger)).pin().uuids()).containsExactly("node-1");

    cluster.pod("pod-2", Devices.request("gpu", 2, List.of(), Devices.share(20, 25)));
    cluster.tell(ledger, Map.of());
    assertThat(ledger.steps(cluster.now)).isEmpty();
    ledger.taintRuleGone("rule");
    assertThat(ledger.steps(cluster.now)).hasSize(1);
  }

  @Test
  void anUuidOnTwoNodesIsUsedOnNeither() {
    cluster.slice(
        Devices.slice("a", Devices.shared("gpu-0", "twin"), Devices.shared("gpu-1", "a1")));
    cluster.slice(Devices.slice("b", Devices.shared("gpu-0", "twin")));
    var ledger = cluster.ledger();

    assertThat(ledger.totals().cards()).isEqualTo(1);
    assertThat(ledger.problems().get("a"))
        .containsExactly(
            "device gpu.example.com/a/gpu-0 is not used: nodes a and b have its UUID twin.");

    ledger.sliceGone("b");

    assertThat(ledger.totals().cards()).isEqualTo(2);
    assertThat(ledger.problems()).isEmpty();
  }

  @Test
  void devicesThatMakeNoSenseAreLeftOutWithAReason() {
    var hostile = new HashMap<>(Devices.whole("gpu-0", "x").attributes());
    hostile.put(Devices.DRIVER + "/uuid", Device.Attribute.text("a\" || true || \""));
    var broken =
        new Device("gpu-0", hostile, Devices.whole("g", "u").capacities(), false, List.of(), false);
    var nameless = new Device("gpu-1", Map.of(), Map.of(), false, List.of(), false);
    var huge =
        new Device(
            "gpu-2",
            Devices.shared("g", "huge").attributes(),
            Map.of("memory", new ConsumableCapacity(new BigDecimal("1e40"), Optional.empty())),
            true,
            List.of(),
            false);
    var cut =
        new Device(
            "gpu-3", Devices.shared("g", "cut").attributes(), Map.of(), false, List.of(), true);
    cluster.slice(
        Devices.slice("node", broken, nameless, huge, cut, Devices.shared("gpu-4", "ok")));
    var ledger = cluster.ledger();

    assertThat(ledger.totals().cards()).isEqualTo(1);
    assertThat(ledger.problems().get("node"))
        .hasSize(4)
        .anyMatch(sentence -> sentence.contains("gpu-2 is left out: its memory is 2147483647 MiB"))
        .anyMatch(sentence -> sentence.contains("gpu-3 is left out: it shares counters"));
  }

  @Test
  void aNodeHasAtMostSixteenCards() {
    cluster.slice(Devices.sharedCards("node", 17));
    var ledger = cluster.ledger();

    assertThat(ledger.totals().cards()).isEqualTo(16);
    assertThat(ledger.problems().get("node"))
        .containsExactly(
            "device gpu.example.com/node/gpu-16 is left out: a node has at most 16 cards.");
  }

  @Test
  void claimsThatAreNotUnderstoodAreLeftAloneWithAReason() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("class", Devices.request("none", 1, List.of(), Map.of()));
    cluster.pod("cel", Devices.request("gpu", 1, List.of("true || false"), Map.of()));
    cluster.pod("many", Devices.request("gpu", 17, List.of(), Map.of()));
    cluster.pod("zero", Devices.request("gpu", 0, List.of(), Map.of()));
    cluster.pod("other", Devices.request("gpu", 1, List.of(), Map.of("tensors", BigDecimal.ONE)));
    cluster.pod("large", Devices.shares(81, 1));
    var ledger = cluster.ledger();

    assertThat(ledger.steps(cluster.now)).isEmpty();
    assertThat(ledger.waiting())
        .containsEntry("ns/class", "there is no DeviceClass none")
        .containsEntry(
            "ns/cel",
            "the selector true || false is not understood; compare driver and attributes with ==")
        .containsEntry("ns/many", "its claim asks for 17 devices; a node has at most 16")
        .containsEntry("ns/zero", "its claim asks for 0 devices; a node has at most 16")
        .containsEntry("ns/other", "no card is of DeviceClass gpu and has what the claim asks")
        .containsEntry("ns/large", "no node has room: 1 lacks memory");
    cluster.delete("class");
    ledger.podGone("class");
    assertThat(ledger.waiting()).hasSize(5);
  }

  @Test
  void aPodWithoutAGateIsNobodysBusiness() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("pod", Devices.shares(1, 1));
    cluster.replace("pod", cluster.pod("pod").current(), false, true, false);

    assertThat(cluster.ledger().steps(cluster.now)).isEmpty();
  }

  @Test
  void aBookingWhoseClaimIsNeverSeenEnds() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("pod", Devices.shares(80, 100));
    var ledger = cluster.ledger();
    only(ledger);

    assertThat(ledger.steps(cluster.now.plus(Reservations.LONGEST))).isEmpty();
    assertThat(ledger.steps(cluster.now.plus(Reservations.LONGEST).plusSeconds(1))).hasSize(1);
  }

  @Test
  void whatTheApiServerRefusesIsTriedAgainLaterAndHoldsNothing() {
    cluster.slice(Devices.sharedCards("node", 1));
    cluster.pod("pod", Devices.shares(80, 100));
    var ledger = cluster.ledger();
    only(ledger);

    ledger.failed("pod", cluster.now.plusSeconds(10));

    assertThat(ledger.totals().heldMemoryMib()).isZero();
    assertThat(ledger.steps(cluster.now.plusSeconds(10))).isEmpty();
    assertThat(ledger.steps(cluster.now.plusSeconds(11))).hasSize(1);
  }

  private Step only(ClaimLedger ledger) {
    var steps = ledger.steps(cluster.now);
    assertThat(steps).hasSize(1);
    return steps.getFirst();
  }

  private void write(ClaimLedger ledger, Step step) {
    var before = Map.copyOf(cluster.claims());
    cluster.write(step);
    cluster.tell(ledger, before);
  }

  /** Everything that there is to write is written, with Kubernetes' help. */
  private void settle(ClaimLedger ledger) {
    cluster.tell(ledger, Map.of());
    for (var steps = ledger.steps(cluster.now);
        !steps.isEmpty();
        steps = ledger.steps(cluster.now)) {
      for (var step : steps) {
        write(ledger, step);
      }
      cluster.makeClaims();
      cluster.tell(ledger, Map.of());
    }
  }
}
