package io.prescale.placement.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares with all sets of pods that could leave a node for a pod of priority 10, without queues;
 * shares no code with what chooses them.
 */
class ExhaustivePreemptionTest {
  private static final int CARDS = 3;
  private static final int MIB = 81_920;
  private static final int PRIORITY = 10;
  private static final int ROUNDS = 2_500;

  private int found;
  private int impossible;

  @Test
  void podsLeaveWhereverSomeSetOfThemMay() {
    var random = new SplittableRandom(37);
    for (int round = 0; round < ROUNDS; round++) {
      new Case(random.split()).compare(round);
    }
    assertThat(List.of(found > 1_500, impossible > 300))
        .as("%d, %d", found, impossible)
        .containsOnly(true);
  }

  /**
   * A pod and what it has of cards.
   *
   * @param gang 0 for none
   */
  private record Running(PodFacts pod, String node, int card, int mib, int gang) {}

  private final class Case {
    private final SplittableRandom random;
    private final Ledger ledger = new Ledger(10);
    private final List<Running> running = new ArrayList<>();
    private final int[] sizes = new int[4];

    Case(SplittableRandom random) {
      this.random = random;
      ledger.seen(Nodes.a100("a", CARDS));
      ledger.seen(Nodes.a100("b", CARDS));
      for (int gang = 1; gang < sizes.length; gang++) {
        sizes[gang] = 1 + random.nextInt(3);
      }
      int pods = 3 + random.nextInt(7);
      for (int i = 0; i < pods; i++) {
        run("p" + i);
      }
    }

    private void run(String name) {
      var node = random.nextInt(3) > 0 ? "a" : "b";
      int card = random.nextInt(CARDS);
      int mib = random.nextInt(3) == 0 ? MIB : 10_000 * (1 + random.nextInt(6));
      if (used(node, card, Set.of()) + mib > MIB) {
        return;
      }
      int gang = random.nextInt(sizes.length);
      var asking = Pods.asking(name, Map.of("nvidia.com/gpu", 1L));
      var important =
          Pods.withPriority(asking, random.nextInt(8) == 0 ? PRIORITY : random.nextInt(3));
      var member = gang == 0 ? important : Pods.inGroup(important, "g" + gang, sizes[gang]);
      var record = "GPU-%s-%d,NVIDIA,%d,0:;".formatted(node, card, mib);
      var pod = Pods.bound(member, node, Map.of(QueuedNode.RECORD, record));
      ledger.seen(pod);
      running.add(new Running(pod, node, card, mib, gang));
    }

    private int used(String node, int card, Set<String> gone) {
      return running.stream()
          .filter(it -> it.node().equals(node) && it.card() == card)
          .filter(it -> !gone.contains(it.pod().uid()))
          .mapToInt(Running::mib)
          .sum();
    }

    void compare(int round) {
      long cards = 1L + random.nextInt(CARDS);
      int mib = random.nextBoolean() ? MIB : 10_000 * (1 + random.nextInt(7));
      var asks =
          mib == MIB
              ? Map.of("nvidia.com/gpu", cards)
              : Map.of("nvidia.com/gpu", cards, "nvidia.com/gpumem", (long) mib);
      var pod = Pods.withPriority(Pods.asking("important", asks), PRIORITY);
      var victims = ledger.victims(pod, "a", List.of(), Set.of());

      assertThat(victims.isPresent())
          .as("round %d: %s for %s", round, running, asks)
          .isEqualTo(isPossible(cards, mib));
      victims.ifPresentOrElse(
          it -> verify(new HashSet<>(it), cards, mib, round), () -> impossible++);
    }

    private void verify(Set<String> victims, long cards, int mib, int round) {
      assertThat(mayLeave(victims) && fits(victims, cards, mib)).as("round %d", round).isTrue();
      found++;
    }

    private boolean isPossible(long cards, int mib) {
      for (int set = 0; set < 1 << running.size(); set++) {
        var gone = new HashSet<String>();
        for (int i = 0; i < running.size(); i++) {
          if ((set >> i & 1) == 1) {
            gone.add(running.get(i).pod().uid());
          }
        }
        if (mayLeave(gone) && fits(gone, cards, mib)) {
          return true;
        }
      }
      return false;
    }

    /** Pods of the node only, all less important, and of each gang either enough stay or none. */
    private boolean mayLeave(Set<String> gone) {
      var staying = new int[sizes.length];
      var leaving = new int[sizes.length];
      for (var each : running) {
        boolean leaves = gone.contains(each.pod().uid());
        if (leaves && (!each.node().equals("a") || each.pod().priority() >= PRIORITY)) {
          return false;
        }
        (leaves ? leaving : staying)[each.gang()]++;
      }
      return IntStream.range(1, sizes.length)
          .allMatch(it -> leaving[it] == 0 || staying[it] == 0 || staying[it] >= sizes[it]);
    }

    private boolean fits(Set<String> gone, long cards, int mib) {
      long open = 0;
      for (int card = 0; card < CARDS; card++) {
        open += used("a", card, gone) + mib <= MIB ? 1 : 0;
      }
      return open >= cards;
    }
  }
}
