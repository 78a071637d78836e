package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.queue.AdmittedQueues.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is written of queues, changed at random; shares no code with what admits it. */
class RandomQueuesTest {
  private static final int CHANGES = 60_000;
  private static final long MILLI = 1000;
  private static final int MOST_LEVELS = 10;
  private static final long MOST_GUARANTEED = 1_000_000 * MILLI;

  private final Map<Kind, Integer> refused = new EnumMap<>(Kind.class);
  private int unchanged;
  private int atTheTop;

  /**
   * How queues are written.
   *
   * @param names how many there are
   * @param unchanged of so many, one is written anew
   * @param below of so many, one is at the top or anywhere; the others are below the one before
   * @param guarantees up to five times so many cards
   */
  private record World(int names, int unchanged, int below, long guarantees) {
    /** Some queues stay as they are, the others are written anew; in an order of their own. */
    List<QueueEntry> wanted(SplittableRandom random, Map<String, QueueEntry> before) {
      var wanted = new ArrayList<QueueEntry>();
      for (int i = 0; i < names; i++) {
        var known =
            Optional.ofNullable(before.get("q" + i)).filter(_ -> random.nextInt(unchanged) > 0);
        if (known.isPresent() || random.nextInt(3) > 0) {
          wanted.add(known.orElse(entry(i, random)));
        }
      }
      for (int i = wanted.size(); i > 1; i--) {
        wanted.add(wanted.remove(random.nextInt(i)));
      }
      return wanted;
    }

    private QueueEntry entry(int number, SplittableRandom random) {
      boolean isBelow = random.nextInt(below) > 0 && number > 0;
      var parent = "q" + (isBelow ? number - 1 : random.nextInt(names + 1));
      return new QueueEntry(
          "q" + number,
          Optional.of(parent).filter(_ -> isBelow || random.nextInt(3) > 0),
          Quota.train(MILLI * guarantees * random.nextInt(5), 1));
    }
  }

  /** No queue gives way to one that is not in force itself. */
  @Test
  void whatFitsTheQueuesInForceIsInForce() {
    change(new World(6, 3, 1, 1), 23, CHANGES);

    assertThat(refused.values().stream().mapToInt(it -> it).sum()).isGreaterThan(10_000);
    assertThat(refused.get(Kind.UNKNOWN_PARENT)).isGreaterThan(20_000);
    assertThat(refused.get(Kind.CYCLE)).isGreaterThan(10_000);
    assertThat(refused.get(Kind.GUARANTEE_BEYOND_PARENT)).isGreaterThan(15_000);
    assertThat(unchanged).isGreaterThan(100_000);
  }

  @Test
  void soItIsOfDeepTreesAndOfAllThatACountCanHold() {
    change(new World(13, 8, 8, 0), 29, CHANGES / 2);
    assertThat(refused.get(Kind.TOO_DEEP)).isGreaterThan(500);

    change(new World(6, 3, 1, 150_000), 31, CHANGES / 2);
    assertThat(atTheTop).isGreaterThan(1_000);
  }

  private void change(World world, int seed, int changes) {
    var random = new SplittableRandom(seed);
    Map<String, QueueEntry> before = Map.of();
    for (int change = 0; change < changes; change++) {
      var wanted = world.wanted(random, before);
      var admitted = AdmittedQueues.of(wanted, before);
      verify(wanted, before, admitted, change);
      assertThat(AdmittedQueues.of(wanted, admitted.inForce()))
          .as("change %d, once more", change)
          .isEqualTo(admitted);
      before = admitted.inForce();
    }
  }

  private void verify(
      List<QueueEntry> wanted,
      Map<String, QueueEntry> before,
      AdmittedQueues admitted,
      int change) {
    assertThat(isTree(admitted.inForce())).as("change %d", change).isTrue();
    var last =
        wanted.stream()
            .flatMap(entry -> Stream.ofNullable(before.get(entry.name())))
            .collect(Collectors.toMap(QueueEntry::name, entry -> entry));
    boolean wasTree = isTree(last);
    for (var entry : wanted) {
      var now = Optional.ofNullable(admitted.inForce().get(entry.name()));
      boolean isAsWritten = now.filter(entry::equals).isPresent();
      if (wasTree && entry.equals(last.get(entry.name()))) {
        assertThat(isAsWritten).as("change %d: %s is unchanged", change, entry).isTrue();
        unchanged++;
      }
      assertThat(admitted.faults().containsKey(entry.name()))
          .as("change %d: %s has a fault", change, entry.name())
          .isEqualTo(!isAsWritten);
      if (!isAsWritten) {
        verifyFault(entry, before, admitted, change);
      }
    }
  }

  private void verifyFault(
      QueueEntry entry, Map<String, QueueEntry> before, AdmittedQueues admitted, int change) {
    var fault = Objects.requireNonNull(admitted.faults().get(entry.name()));
    var others = with(entry, admitted.inForce());
    assertThat(Optional.of(fault.kind()))
        .as("change %d: %s", change, entry)
        .isEqualTo(fault(entry, others));
    refused.merge(fault.kind(), 1, Integer::sum);
    atTheTop += fault.sentence().startsWith("the queues without a parent") ? 1 : 0;
    if (!admitted.inForce().containsKey(entry.name())) {
      Stream.ofNullable(before.get(entry.name()))
          .forEach(
              it ->
                  assertThat(isTree(with(it, admitted.inForce())))
                      .as("change %d: %s could be in force", change, it)
                      .isFalse());
    }
  }

  private static Map<String, QueueEntry> with(QueueEntry one, Map<String, QueueEntry> others) {
    var all = new HashMap<>(others);
    all.put(one.name(), one);
    return all;
  }

  /** What is wrong with an entry beside others that form a tree; empty if nothing is. */
  private static Optional<Kind> fault(QueueEntry entry, Map<String, QueueEntry> all) {
    if (entry.parent().filter(it -> !all.containsKey(it)).isPresent()) {
      return Optional.of(Kind.UNKNOWN_PARENT);
    }
    if (levels(entry, all) > all.size()) {
      return Optional.of(Kind.CYCLE);
    }
    if (all.values().stream().anyMatch(it -> levels(it, all) > MOST_LEVELS)) {
      return Optional.of(Kind.TOO_DEEP);
    }
    return isTree(all) ? Optional.empty() : Optional.of(Kind.GUARANTEE_BEYOND_PARENT);
  }

  /** How many levels there are down to an entry; more than there are entries in a cycle. */
  private static int levels(QueueEntry entry, Map<String, QueueEntry> all) {
    int levels = 1;
    for (var it = entry; it != null && it.parent().isPresent() && levels <= all.size(); ) {
      it = all.get(it.parent().get());
      levels++;
    }
    return levels;
  }

  private static boolean isTree(Map<String, QueueEntry> entries) {
    var promised = new LinkedHashMap<String, Long>();
    long atTheTop = 0;
    for (var entry : entries.values()) {
      var parent = entry.parent();
      if (parent.filter(it -> !entries.containsKey(it)).isPresent()
          || levels(entry, entries) > Math.min(MOST_LEVELS, entries.size())) {
        return false;
      }
      parent.ifPresent(it -> promised.merge(it, entry.quota().guaranteed(), Long::sum));
      atTheTop += parent.isPresent() ? 0 : entry.quota().guaranteed();
    }
    return atTheTop <= MOST_GUARANTEED
        && entries.values().stream()
            .allMatch(it -> it.quota().guaranteed() >= promised.getOrDefault(it.name(), 0L));
  }
}
