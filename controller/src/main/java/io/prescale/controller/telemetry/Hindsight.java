package io.prescale.controller.telemetry;

import io.prescale.controller.autoscaling.Needed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Compares two rules by the demand that came: asking for what Prescale asks for, and asking for
 * what the newest demand needs. Each is followed by the same idealised HPA: it has what was asked
 * for one lead time later, and releases what nothing asked for in five minutes. So the difference
 * is the forecast's. Not thread-safe.
 *
 * <p>A tick costs O(asks within a lead time and five minutes).
 */
final class Hindsight {
  /** The HPA's default window before it scales down. */
  private static final Duration STABILIZATION = Duration.ofMinutes(5);

  /** After a longer pause between ticks, the time between them is not counted. */
  private static final Duration LONGEST_PAUSE = Duration.ofHours(2);

  private final Tally prescale = new Tally();
  private final Tally reactive = new Tally();
  private final Rises rises = new Rises();
  private @Nullable Instant last;

  /** What one rule has come to. */
  static final class Tally {
    private final ArrayDeque<Ask> asks = new ArrayDeque<>();
    private double replicaSeconds;
    private double overloadedSeconds;

    /** What was asked for at the given time, and what the HPA then held. */
    private record Ask(Instant at, int replicas, int held) {}

    /** Replicas that the HPA paid for, by time. */
    double replicaSeconds() {
      return replicaSeconds;
    }

    /** Time in which its ready replicas were fewer than the demand needed. */
    double overloadedSeconds() {
      return overloadedSeconds;
    }

    private void count(Instant now, Duration lead, double seconds, int needed) {
      int held = held(now);
      replicaSeconds += seconds * held;
      if (Math.min(held, leastHeldSince(now.minus(lead))) < needed) {
        overloadedSeconds += seconds;
      }
    }

    /** It falls as late as the HPA's window has it. */
    private int held(Instant at) {
      var begins = at.minus(STABILIZATION);
      int held = 0;
      for (Iterator<Ask> newestFirst = asks.descendingIterator(); newestFirst.hasNext(); ) {
        var ask = newestFirst.next();
        held = Math.max(held, ask.replicas());
        if (!ask.at().isAfter(begins)) {
          break; // it was in force when the window began
        }
      }
      return held;
    }

    /** It rises one lead time late: what was held all the while since then is ready. */
    private int leastHeldSince(Instant from) {
      int least = Integer.MAX_VALUE;
      for (Iterator<Ask> newestFirst = asks.descendingIterator(); newestFirst.hasNext(); ) {
        var ask = newestFirst.next();
        least = Math.min(least, ask.held());
        if (!ask.at().isAfter(from)) {
          break; // it was in force then
        }
      }
      return least;
    }

    private void ask(Instant now, int replicas, Duration lead) {
      asks.add(new Ask(now, replicas, Math.max(replicas, held(now))));
      // One that is older stays: it was in force when the time began.
      var before = now.minus(lead).minus(STABILIZATION);
      while (asks.size() > 1) {
        var first = asks.removeFirst();
        if (asks.getFirst().at().isAfter(before)) {
          asks.addFirst(first);
          return;
        }
      }
    }
  }

  /** What following Prescale has come to. */
  Tally prescale() {
    return prescale;
  }

  /** What following the newest demand has come to. */
  Tally reactive() {
    return reactive;
  }

  /** What became of the rises that Prescale asked for ahead of the demand. */
  Rises rises() {
    return rises;
  }

  /**
   * Takes in a tick; the time since the last one is counted with what was asked for until now.
   *
   * @param desired what Prescale asks for
   */
  void ticked(Instant now, Duration lead, int desired, Needed needed) {
    var since = last == null ? Duration.ZERO : Duration.between(last, now);
    if (since.isPositive() && since.compareTo(LONGEST_PAUSE) <= 0) {
      double seconds = since.toMillis() / 1000.0;
      prescale.count(now, lead, seconds, needed.replicas());
      reactive.count(now, lead, seconds, needed.replicas());
    }
    rises.seen(now, needed.replicas());
    int held = prescale.held(now);
    if (last != null && desired > held && desired > needed.withinLimits()) {
      rises.asked(held, now.plus(lead).plus(STABILIZATION));
    }
    last = now;
    prescale.ask(now, desired, lead);
    reactive.ask(now, needed.withinLimits(), lead);
  }
}
