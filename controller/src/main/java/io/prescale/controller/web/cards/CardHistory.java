package io.prescale.controller.web.cards;

import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What queues held over the last day, every five minutes, and the notices that were given
 * meanwhile. Thread-safe. Takes some 4 KB a queue.
 */
public final class CardHistory {
  /** Of queues beyond these the sum is kept. */
  static final int MOST_QUEUES = 12;

  static final Duration STEP = Duration.ofMinutes(5);
  static final int POINTS = 24 * 12;
  static final String OTHERS = "other queues";
  private static final long UNKNOWN = -1;

  private final Map<String, long[]> heldMilli = new LinkedHashMap<>();
  private final TreeMap<Long, Given> given = new TreeMap<>();
  private Set<String> withNotice = Set.of();
  private long first = Long.MAX_VALUE;
  private long newest = Long.MIN_VALUE;

  /**
   * Takes in what is known at the given time; of the same five minutes the last call counts. Queues
   * with a parent are passed by, because the parent has what they have. A clock that goes back adds
   * nothing.
   */
  public synchronized void observe(
      Instant at, Collection<GpuPage.Queue> queues, Collection<GpuPage.Notice> notices) {
    long point = Math.floorDiv(at.getEpochSecond(), STEP.toSeconds());
    if (point < newest) {
      return;
    }
    moveTo(point);
    int index = index(point);
    heldMilli.values().forEach(it -> it[index] = 0);
    forgetTheEmpty();
    queues.stream()
        .filter(queue -> queue.parent().isEmpty())
        .forEach(queue -> of(queue.name())[index] += queue.usedMilli());
    mark(at, point, notices);
  }

  /** Where places for queues are short, those that held nothing within the day lose theirs. */
  private void forgetTheEmpty() {
    if (named() >= MOST_QUEUES) {
      heldMilli.values().removeIf(held -> Arrays.stream(held).allMatch(it -> it <= 0));
    }
  }

  private void moveTo(long point) {
    if (first > point) {
      first = point;
      newest = point - 1;
    }
    for (long skipped = Math.max(newest + 1, point - POINTS + 1); skipped < point; skipped++) {
      int index = index(skipped);
      heldMilli.values().forEach(it -> it[index] = UNKNOWN);
    }
    newest = point;
    first = Math.max(first, point - POINTS + 1);
  }

  private long[] of(String queue) {
    boolean isKept = heldMilli.containsKey(queue) || named() < MOST_QUEUES;
    return heldMilli.computeIfAbsent(isKept ? queue : OTHERS, _ -> nothingYet());
  }

  private int named() {
    return heldMilli.size() - (heldMilli.containsKey(OTHERS) ? 1 : 0);
  }

  /** Before it was first seen a queue held nothing, where anything is known. */
  private long[] nothingYet() {
    var known = heldMilli.values().stream().findFirst();
    var held = new long[POINTS];
    known.ifPresent(it -> Arrays.setAll(held, i -> Math.min(0, it[i])));
    return held;
  }

  private void mark(Instant at, long point, Collection<GpuPage.Notice> notices) {
    var now = new HashSet<String>();
    for (var notice : notices) {
      var key = notice.pod() + ' ' + notice.claim();
      now.add(key);
      if (!withNotice.contains(key)) {
        given.merge(point, new Given(at, notice, 1), (first, _) -> first.andOneMore());
      }
    }
    withNotice = now;
    given.headMap(first).clear();
  }

  /** The notices of five minutes: the first, and how many there were. */
  private record Given(Instant at, GpuPage.Notice first, int count) {
    Given andOneMore() {
      return new Given(at, first, count + 1);
    }

    Mark mark() {
      return new Mark(
          at,
          Mark.Kind.NOTICE,
          count == 1
              ? "%s is to give its cards back to %s.".formatted(first.pod(), first.claim())
              : "%d notices to give cards back, the first to %s for %s."
                  .formatted(count, first.pod(), first.claim()));
    }
  }

  /** All that is kept; queues that held nothing are left out. */
  public synchronized GpuPage.Course course() {
    if (heldMilli.isEmpty()) {
      return GpuPage.Course.NONE;
    }
    long seconds = STEP.toSeconds();
    var lines = new ArrayList<GpuPage.Line>();
    heldMilli.forEach(
        (queue, held) -> {
          var kept = LongStream.rangeClosed(first, newest).map(it -> held[index(it)]).toArray();
          if (Arrays.stream(kept).anyMatch(it -> it > 0)) {
            lines.add(new GpuPage.Line(queue, orNull(kept)));
          }
        });
    return new GpuPage.Course(
        LongStream.rangeClosed(first, newest).map(it -> it * seconds).boxed().toList(),
        lines,
        given.values().stream().map(Given::mark).toList());
  }

  private static List<@Nullable Long> orNull(long[] held) {
    var values = new ArrayList<@Nullable Long>(held.length);
    for (long it : held) {
      values.add(it == UNKNOWN ? null : it);
    }
    return values;
  }

  private static int index(long point) {
    return Math.floorMod(point, POINTS);
  }
}
