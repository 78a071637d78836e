package io.prescale.placement.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is written of queues, changed at random; shares no code with what admits it. */
class RandomQueuesTest {
  private static final int NAMES = 6;
  private static final int CHANGES = 60_000;
  private static final long MILLI = 1000;

  private int refused;

  /** No queue gives way to one that is not in force itself. */
  @Test
  void whatFitsTheQueuesInForceIsInForce() {
    var random = new SplittableRandom(23);
    Map<String, QueueEntry> before = Map.of();
    for (int change = 0; change < CHANGES; change++) {
      var wanted = wanted(random, before);
      var admitted = AdmittedQueues.of(wanted, before);
      verify(wanted, before, admitted, change);
      before = admitted.inForce();
    }
    assertThat(refused).isGreaterThan(10_000);
  }

  /** Some queues stay as they are, the others are written anew; in an order of their own. */
  private static List<QueueEntry> wanted(SplittableRandom random, Map<String, QueueEntry> before) {
    var wanted = new ArrayList<QueueEntry>();
    for (int i = 0; i < NAMES; i++) {
      var known = Optional.ofNullable(before.get("q" + i)).filter(_ -> random.nextInt(3) > 0);
      if (known.isPresent() || random.nextInt(3) > 0) {
        wanted.add(known.orElse(entry("q" + i, random)));
      }
    }
    for (int i = wanted.size(); i > 1; i--) {
      wanted.add(wanted.remove(random.nextInt(i)));
    }
    return wanted;
  }

  private static QueueEntry entry(String name, SplittableRandom random) {
    var parent = "q" + random.nextInt(NAMES + 1);
    return new QueueEntry(
        name,
        Optional.of(parent).filter(_ -> random.nextInt(3) > 0),
        Quota.train(MILLI * random.nextInt(5), 1));
  }

  private void verify(
      List<QueueEntry> wanted,
      Map<String, QueueEntry> before,
      AdmittedQueues admitted,
      int change) {
    assertThat(isTree(admitted.inForce())).as("change %d", change).isTrue();
    for (var entry : wanted) {
      var now = Optional.ofNullable(admitted.inForce().get(entry.name()));
      boolean isAsWritten = now.filter(entry::equals).isPresent();
      assertThat(admitted.faults().containsKey(entry.name()))
          .as("change %d: %s has a fault", change, entry.name())
          .isEqualTo(!isAsWritten);
      refused += isAsWritten ? 0 : 1;
      var better =
          now.isPresent()
              ? Stream.of(entry)
              : Stream.concat(Stream.of(entry), Stream.ofNullable(before.get(entry.name())));
      better
          .filter(_ -> !isAsWritten)
          .forEach(
              it -> {
                var others = new HashMap<>(admitted.inForce());
                others.put(it.name(), it);
                assertThat(isTree(others))
                    .as("change %d: %s could be in force", change, it)
                    .isFalse();
              });
    }
  }

  private static boolean isTree(Map<String, QueueEntry> entries) {
    var promised = new LinkedHashMap<String, Long>();
    for (var entry : entries.values()) {
      var above = entry;
      for (int level = 0; above.parent().isPresent(); level++) {
        var parent = entries.get(above.parent().get());
        if (parent == null || level > NAMES) {
          return false;
        }
        above = parent;
      }
      entry
          .parent()
          .ifPresent(parent -> promised.merge(parent, entry.quota().guaranteed(), Long::sum));
    }
    return entries.values().stream()
        .allMatch(it -> it.quota().guaranteed() >= promised.getOrDefault(it.name(), 0L));
  }
}
