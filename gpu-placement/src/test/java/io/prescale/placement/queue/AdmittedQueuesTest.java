package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.queue.AdmittedQueues.Fault;
import io.prescale.placement.queue.AdmittedQueues.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdmittedQueuesTest {
  private static final int GPU = 1000;

  private static QueueEntry entry(String name, String parent, int cards) {
    return new QueueEntry(
        name, Optional.of(parent).filter(it -> !it.isEmpty()), Quota.train((long) cards * GPU, 1));
  }

  private static AdmittedQueues admit(QueueEntry... wanted) {
    return AdmittedQueues.of(List.of(wanted), Map.of());
  }

  private static QueueTree tree(AdmittedQueues admitted) {
    return QueueTree.ofEntries(admitted.inForce().values());
  }

  @Test
  void aTreeIsAdmittedWhateverItsOrder() {
    var admitted = admit(entry("chat", "team", 2), entry("team", "", 4));

    assertThat(admitted.faults()).isEmpty();
    assertThat(tree(admitted).upwardsFrom("chat")).containsExactly("chat", "team");
    assertThat(tree(admitted).isLeaf("team")).isFalse();
    assertThat(tree(admitted).isLeaf("chat")).isTrue();
    assertThat(tree(admitted).isLeaf("unknown")).isFalse();
  }

  @Test
  void aChildOfAnUnknownParentIsLeftOutWithItsOwnChildren() {
    var admitted = admit(entry("a", "lost", 0), entry("b", "a", 0), entry("c", "", 1));

    assertThat(admitted.inForce()).containsOnlyKeys("c");
    assertThat(admitted.faults())
        .containsEntry(
            "a",
            new Fault(
                Kind.UNKNOWN_PARENT,
                "its parent lost is not there or not in force; create or mend it"));
    assertThat(admitted.faults()).containsOnlyKeys("a", "b");
  }

  @Test
  void aCycleIsBrokenWhereItWasClosed() {
    var before = admit(entry("a", "", 4), entry("b", "a", 2));
    var admitted =
        AdmittedQueues.of(List.of(entry("a", "b", 4), entry("b", "a", 2)), before.inForce());

    assertThat(admitted.inForce()).isEqualTo(before.inForce());
    assertThat(admitted.faults()).containsOnlyKeys("a");
    assertThat(admitted.faults().values()).extracting(Fault::kind).containsOnly(Kind.CYCLE);
  }

  /** The walk to the cycle begins at one that has not changed. */
  @Test
  void whatHasNotChangedStaysWhereACycleIsClosedAboveIt() {
    var before = admit(entry("a", "b", 3), entry("b", "", 4));
    var edited = entry("b", "a", 4);
    var created = entry("x", "b", 3);

    var first = AdmittedQueues.of(List.of(entry("a", "b", 3), edited), before.inForce());
    var second = AdmittedQueues.of(List.of(entry("a", "b", 3), edited, created), first.inForce());
    var mended =
        AdmittedQueues.of(
            List.of(entry("a", "b", 3), entry("b", "", 4), created), second.inForce());

    assertThat(second.inForce()).isEqualTo(before.inForce());
    assertThat(kinds(second)).isEqualTo(Map.of("b", Kind.CYCLE, "x", Kind.GUARANTEE_BEYOND_PARENT));
    assertThat(mended.inForce()).isEqualTo(before.inForce());
    assertThat(kinds(mended)).isEqualTo(Map.of("x", Kind.GUARANTEE_BEYOND_PARENT));
  }

  @Test
  void whatIsBelowAQueueThatBecomesItsOwnParentStaysBeforeWhatIsNew() {
    var before = admit(entry("q0", "q3", 3), entry("q3", "", 4));

    var after =
        AdmittedQueues.of(
            List.of(entry("q0", "q3", 3), entry("q3", "q3", 4), entry("x", "q3", 3)),
            before.inForce());

    assertThat(after.inForce()).isEqualTo(before.inForce());
    assertThat(kinds(after)).isEqualTo(Map.of("q3", Kind.CYCLE, "x", Kind.GUARANTEE_BEYOND_PARENT));
  }

  @Test
  void ofATreeThatIsTooDeepThePartThatWasMovedStaysWhereItWas() {
    var chain = new ArrayList<QueueEntry>();
    chain.add(entry("r", "", 0));
    for (int i = 0; i < 10; i++) {
      chain.add(entry("q" + i, i == 0 ? "" : "q" + (i - 1), 0));
    }
    var before = AdmittedQueues.of(chain, Map.of());
    assertThat(before.faults()).isEmpty();
    chain.set(1, entry("q0", "r", 0));

    var after = AdmittedQueues.of(chain, before.inForce());

    assertThat(after.inForce()).isEqualTo(before.inForce());
    assertThat(after.faults())
        .isEqualTo(
            Map.of(
                "q0",
                new Fault(
                    Kind.TOO_DEEP,
                    "q9 below it is more than 10 levels deep; name a higher parent")));
  }

  /** Below m, which moves, p is too deep at first, and a without its parent. */
  @Test
  void aFaultIsTheOneThatAnEntryHasBesideThoseInForce() {
    var entries = new ArrayList<QueueEntry>();
    for (int i = 0; i < 6; i++) {
      entries.add(entry("r" + i, i == 0 ? "" : "r" + (i - 1), 0));
    }
    entries.add(entry("m", "", 2));
    for (int i = 0; i < 3; i++) {
      entries.add(entry("s" + i, i == 0 ? "m" : "s" + (i - 1), 0));
    }
    var before = AdmittedQueues.of(entries, Map.of());
    assertThat(before.faults()).isEmpty();
    entries.set(6, entry("m", "r5", 2));
    entries.add(entry("p", "s2", 0));
    entries.add(entry("a", "p", 1));

    var after = AdmittedQueues.of(entries, before.inForce());

    assertThat(after.inForce()).containsEntry("p", entry("p", "s2", 0)).doesNotContainKey("a");
    assertThat(kinds(after))
        .isEqualTo(Map.of("m", Kind.TOO_DEEP, "a", Kind.GUARANTEE_BEYOND_PARENT));
  }

  private static Map<String, Kind> kinds(AdmittedQueues admitted) {
    return admitted.faults().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, it -> it.getValue().kind()));
  }

  @Test
  void aQueueThatIsItsOwnParentIsLeftOut() {
    assertThat(admit(entry("a", "a", 1)).inForce()).isEmpty();
  }

  @Test
  void aChangedGuaranteeThatDoesNotFitLeavesTheLastOneInForce() {
    var before = admit(entry("team", "", 4), entry("a", "team", 2), entry("b", "team", 2));

    var child =
        AdmittedQueues.of(
            List.of(entry("team", "", 4), entry("a", "team", 3), entry("b", "team", 2)),
            before.inForce());
    var parent =
        AdmittedQueues.of(
            List.of(entry("team", "", 3), entry("a", "team", 2), entry("b", "team", 2)),
            before.inForce());

    assertThat(child.inForce()).isEqualTo(before.inForce());
    assertThat(child.faults()).containsOnlyKeys("a");
    assertThat(parent.inForce()).isEqualTo(before.inForce());
    assertThat(parent.faults())
        .containsExactly(
            Map.entry(
                "team",
                new Fault(
                    Kind.GUARANTEE_BEYOND_PARENT,
                    "the children of team are guaranteed 4 cards together, and it only 3 itself;"
                        + " lower theirs or raise its own")));
  }

  @Test
  void ofNewQueuesThatContradictEachOtherTheOlderStay() {
    var admitted = admit(entry("team", "", 4), entry("old", "team", 3), entry("new", "team", 2));

    assertThat(admitted.inForce()).containsOnlyKeys("team", "old");
  }

  @Test
  void otherQueuesChangeWhileOneIsBad() {
    var before = admit(entry("a", "", 1));
    var admitted =
        AdmittedQueues.of(List.of(entry("a", "gone", 1), entry("b", "", 2)), before.inForce());

    assertThat(admitted.inForce()).containsOnlyKeys("a", "b");
    assertThat(admitted.inForce()).containsEntry("a", entry("a", "", 1));
  }

  @Test
  void aTreeOfElevenLevelsIsTooDeep() {
    var chain =
        IntStream.range(0, 11).mapToObj(i -> entry("q" + i, i == 0 ? "" : "q" + (i - 1), 0));

    var admitted = AdmittedQueues.of(chain.toList(), Map.of());

    assertThat(admitted.inForce()).hasSize(10);
    assertThat(admitted.faults()).containsOnlyKeys("q10");
  }

  @Test
  void queuesAtTheTopAreGuaranteedAMillionCardsTogetherAtMost() {
    var before = admit(entry("a", "", 600_000), entry("b", "", 400_000), entry("c", "", 0));
    assertThat(before.faults()).isEmpty();

    var admitted =
        AdmittedQueues.of(
            List.of(entry("a", "", 600_000), entry("b", "", 400_001), entry("c", "", 0)),
            before.inForce());
    var fresh = admit(entry("a", "", 1_000_000), entry("b", "", 1_000_000), entry("c", "b", 1));

    assertThat(admitted.inForce()).isEqualTo(before.inForce());
    assertThat(admitted.faults())
        .containsExactly(
            Map.entry(
                "b",
                new Fault(
                    Kind.GUARANTEE_BEYOND_PARENT,
                    "the queues without a parent are guaranteed 1000001 cards together, and at most"
                        + " 1000000 are possible; lower theirs")));
    assertThat(tree(admitted).queues()).hasSize(3);
    assertThat(fresh.inForce()).containsOnlyKeys("a");
    assertThat(tree(fresh).queues()).hasSize(1);
  }

  @Test
  void aFaultSaysWhatToDo() {
    var chain =
        IntStream.range(0, 11).mapToObj(i -> entry("q" + i, i == 0 ? "" : "q" + (i - 1), 0));

    assertThat(admit(entry("a", "a", 1)).faults().values())
        .extracting(Fault::sentence)
        .containsExactly("it is above itself by way of a; name another parent, or none");
    assertThat(AdmittedQueues.of(chain.toList(), Map.of()).faults().values())
        .extracting(Fault::sentence)
        .containsExactly("it is more than 10 levels deep; name a higher parent");
  }

  /** Whatever is written and whatever was before, what is in force is a tree. */
  @Test
  void anythingBecomesATree() {
    var random = new SplittableRandom(19);
    Map<String, QueueEntry> before = Map.of();
    for (int round = 0; round < 2_000; round++) {
      var wanted = new HashMap<String, QueueEntry>();
      int scale = random.nextInt(4) == 0 ? 200_000 : 1;
      for (int i = 0; i < random.nextInt(12); i++) {
        var name = "q" + random.nextInt(8);
        var parent = random.nextInt(3) == 0 ? "" : "q" + random.nextInt(9);
        wanted.put(name, entry(name, parent, random.nextInt(5) * scale));
      }
      var admitted = AdmittedQueues.of(new ArrayList<>(wanted.values()), before);

      assertThat(tree(admitted).queues()).hasSameSizeAs(admitted.inForce().keySet());
      assertThat(wanted.keySet()).containsAll(admitted.inForce().keySet());
      for (var queue : wanted.keySet()) {
        assertThat(
                wanted.get(queue).equals(admitted.inForce().get(queue))
                    || admitted.faults().containsKey(queue))
            .as("round %d: %s is in force or has a fault", round, queue)
            .isTrue();
      }
      before = admitted.inForce();
    }
  }
}
