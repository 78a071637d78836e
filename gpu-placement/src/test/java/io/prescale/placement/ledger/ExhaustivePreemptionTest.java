package io.prescale.placement.ledger;

import static io.prescale.placement.ledger.QueuedNode.GPU;
import static io.prescale.placement.ledger.QueuedNode.NOW;
import static io.prescale.placement.ledger.QueuedNode.RECORD;
import static io.prescale.placement.ledger.QueuedNode.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.overcommit.BoundedRisk;
import io.prescale.placement.overcommit.BoundedRisk.Dependence;
import io.prescale.placement.overcommit.ObservedMemory;
import io.prescale.placement.overcommit.ObservedMemory.Observation;
import io.prescale.placement.overcommit.ObservedMemory.Share;
import io.prescale.placement.queue.Quota;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares with all sets of pods that could leave a node for a pod of priority 10, among gangs of
 * which only some may leave, two queues, and cards that promise more memory than they have; shares
 * no code with what chooses them.
 */
class ExhaustivePreemptionTest {
  private static final int CARDS = 3;
  private static final int MIB = 81_920;
  private static final int PRIORITY = 10;
  private static final int ROUNDS = 2_500;

  /** What a pod uses of its memory that was observed. */
  private static final int SEEN_MIB = 2_000;

  private int found;
  private int impossible;
  private int ofTightGangs;
  private int ofTightQueues;
  private int overcommitted;

  @Test
  void podsLeaveWhereverSomeSetOfThemMay() {
    var random = new SplittableRandom(37);
    for (int round = 0; round < ROUNDS; round++) {
      new Case(random.split()).compare(round);
    }
    var counts = List.of(found, impossible, ofTightGangs, ofTightQueues, overcommitted);
    assertThat(
            List.of(
                found > 1_500,
                impossible > 300,
                ofTightGangs > 300,
                ofTightQueues > 300,
                overcommitted > 300))
        .as("%s", counts)
        .containsOnly(true);
  }

  /**
   * A pod and what it has of cards.
   *
   * @param gang 0 for none
   * @param isSeen whether its use of memory was observed
   */
  private record Running(
      String name,
      int priority,
      String node,
      int card,
      int mib,
      int gang,
      boolean isOwn,
      boolean isSeen) {
    String uid() {
      return "uid-" + name;
    }

    long milli() {
      return 1000L * mib / MIB;
    }
  }

  private final class Case {
    private final SplittableRandom random;
    private final Ledger ledger = new Ledger(10);
    private final int[] sizes = new int[4];
    private final boolean isTight;
    private final boolean isOvercommitted;
    private final OptionalInt guaranteed;

    /** The least important first. */
    private final List<Running> running = new ArrayList<>();

    Case(SplittableRandom random) {
      this.random = random;
      isTight = random.nextBoolean();
      isOvercommitted = random.nextBoolean();
      guaranteed =
          random.nextBoolean() ? OptionalInt.of(random.nextInt(3) * GPU) : OptionalInt.empty();
      int pods = 3 + random.nextInt(7);
      for (int i = 0; i < pods; i++) {
        place("p" + i);
      }
      running.sort(Comparator.comparingInt(Running::priority).thenComparing(Running::uid));
      for (int gang = 1; gang < sizes.length; gang++) {
        int name = gang;
        long members = running.stream().filter(it -> it.gang() == name).count();
        sizes[gang] = isTight ? (int) Math.max(1, members - 1) : 1 + random.nextInt(3);
      }
      tell();
    }

    /**
     * Half of the pods of tight gangs are beside one that stays, where their leaving is in vain.
     */
    private void place(String name) {
      var node = random.nextInt(3) > 0 ? "a" : "b";
      int card = random.nextInt(CARDS);
      int mib = random.nextInt(isTight ? 6 : 3) == 0 ? MIB : 10_000 * (1 + random.nextInt(6));
      int most = isOvercommitted && mib < MIB ? 2 * MIB : MIB;
      int used =
          running.stream()
              .filter(it -> it.node().equals(node) && it.card() == card)
              .mapToInt(Running::mib)
              .sum();
      if (used + mib <= most) {
        running.add(
            new Running(
                name,
                random.nextInt(8) == 0 ? PRIORITY : random.nextInt(3),
                node,
                card,
                mib,
                isTight ? 1 + random.nextInt(2) : random.nextInt(sizes.length),
                random.nextBoolean(),
                random.nextBoolean()));
      }
    }

    private void tell() {
      ledger.seen(Nodes.a100("a", CARDS));
      ledger.seen(Nodes.a100("b", CARDS));
      if (guaranteed.isPresent()) {
        ledger.queues(
            List.of(
                queue("own", Quota.train(20 * GPU, 1)),
                queue("other", Quota.train(guaranteed.getAsInt(), 1))));
      }
      var seen = new HashMap<Share, Observation>();
      for (var each : running) {
        ledger.seen(pod(each));
        if (each.isSeen()) {
          var card = "GPU-%s-%d".formatted(each.node(), each.card());
          seen.put(
              new Share("default", each.name(), card), new Observation(SEEN_MIB, 0, each.mib()));
        }
      }
      if (isOvercommitted) {
        ledger.memory(new BoundedRisk(1, Dependence.ANY), new ObservedMemory(NOW, seen));
      }
    }

    private PodFacts pod(Running it) {
      var asking = Pods.asking(it.name(), Map.of("nvidia.com/gpu", 1L));
      var important = Pods.withPriority(asking, it.priority());
      var member =
          it.gang() == 0 ? important : Pods.inGroup(important, "g" + it.gang(), sizes[it.gang()]);
      var paid = Pods.inQueue(member, it.isOwn() ? "own" : "other", NOW);
      var record = "GPU-%s-%d,NVIDIA,%d,0:;".formatted(it.node(), it.card(), it.mib());
      return Pods.bound(paid, it.node(), Map.of(RECORD, record));
    }

    void compare(int round) {
      long cards = 1L + random.nextInt(CARDS);
      int mib = random.nextBoolean() ? MIB : 10_000 * (1 + random.nextInt(7));
      var asks =
          mib == MIB
              ? Map.of("nvidia.com/gpu", cards)
              : Map.of("nvidia.com/gpu", cards, "nvidia.com/gpumem", (long) mib);
      var asking = Pods.withPriority(Pods.asking("important", asks), PRIORITY);
      var pod = Pods.inQueue(asking, "own", NOW);
      var victims = Victims.on(ledger, pod, "a", List.of(), Set.of());

      var least = least(cards, mib);
      assertThat(victims.map(HashSet::new))
          .as("round %d: %s in %s for %s", round, running, sizes, asks)
          .isEqualTo(least.map(HashSet::new));
      count(least);
    }

    private void count(Optional<List<String>> least) {
      found += least.isPresent() ? 1 : 0;
      impossible += least.isPresent() ? 0 : 1;
      if (least.filter(it -> !it.isEmpty()).isPresent()) {
        long tight = IntStream.range(1, sizes.length).filter(it -> isTightOnNode(it)).count();
        ofTightGangs += tight > 1 ? 1 : 0;
        ofTightQueues += guaranteed.isPresent() ? 1 : 0;
        overcommitted += isOvercommitted ? 1 : 0;
      }
    }

    /** Whether not all pods of a gang on the node may leave. */
    private boolean isTightOnNode(int gang) {
      long members = running.stream().filter(it -> it.gang() == gang).count();
      long here = running.stream().filter(it -> it.gang() == gang && it.node().equals("a")).count();
      return here > members - sizes[gang];
    }

    /**
     * Of the sets that may leave and make room, the one without the most important of the pods in
     * which two differ: the first, as the bits of a number are compared.
     */
    private Optional<List<String>> least(long cards, int mib) {
      for (int set = 0; set < 1 << running.size(); set++) {
        if (mayLeave(set) && fits(set, cards, mib)) {
          int least = set;
          return Optional.of(
              IntStream.range(0, running.size())
                  .filter(it -> isGone(least, it))
                  .mapToObj(it -> running.get(it).uid())
                  .toList());
        }
      }
      return Optional.empty();
    }

    private static boolean isGone(int set, int pod) {
      return (set >> pod & 1) == 1;
    }

    /** Pods of the node only, all less important, and of each gang either enough stay or none. */
    private boolean mayLeave(int set) {
      var staying = new int[sizes.length];
      var leaving = new int[sizes.length];
      long others = 0;
      long given = 0;
      for (int i = 0; i < running.size(); i++) {
        var each = running.get(i);
        boolean leaves = isGone(set, i);
        if (leaves && (!each.node().equals("a") || each.priority() >= PRIORITY)) {
          return false;
        }
        (leaves ? leaving : staying)[each.gang()]++;
        others += each.isOwn() ? 0 : each.milli();
        given += leaves && !each.isOwn() ? each.milli() : 0;
      }
      boolean areOwed =
          guaranteed.isEmpty() || given == 0 || given <= others - guaranteed.getAsInt();
      return areOwed
          && IntStream.range(1, sizes.length)
              .allMatch(it -> leaving[it] == 0 || staying[it] == 0 || staying[it] >= sizes[it]);
    }

    private boolean fits(int set, long cards, int mib) {
      return IntStream.range(0, CARDS).filter(card -> isOpen(card, set, mib)).count() >= cards;
    }

    /**
     * Whether a card has as much memory, or would have if its pods used no more than was observed;
     * never a whole one in use, nor one that a pod has for itself.
     */
    private boolean isOpen(int card, int set, int mib) {
      long promised = 0;
      long used = 0;
      boolean isWhole = mib == MIB;
      for (int i = 0; i < running.size(); i++) {
        var each = running.get(i);
        if (each.node().equals("a") && each.card() == card && !isGone(set, i)) {
          promised += each.mib();
          used += each.isSeen() ? SEEN_MIB : each.mib();
          isWhole |= each.mib() == MIB;
        }
      }
      return promised + mib <= MIB || (isOvercommitted && !isWhole && used + mib < MIB);
    }
  }
}
