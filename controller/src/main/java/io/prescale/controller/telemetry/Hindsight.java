package io.prescale.controller.telemetry;

import io.prescale.controller.autoscaling.Needed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Two rules held against the demand that came: to ask for what Prescale asks for, and to ask for
 * what the newest demand needs. Each is followed by the same idealised HPA: it has what was asked
 * for one lead time later, and lets go of what nothing asked for in five minutes. So the difference
 * is the forecast's. Not thread-safe.
 *
 * <p>A tick costs O(asks within a lead time and five minutes).
 */
final class Hindsight {
  /** The HPA's default window before it scales down. */
  private static final Duration STABILIZATION = Duration.ofMinutes(5);

  /** Nobody looked for so long: what happened meanwhile is not counted. */
  private static final Duration LONGEST_PAUSE = Duration.ofHours(2);

  private final ArrayDeque<Ask> asks = new ArrayDeque<>();
  private final Tally prescale = new Tally(Ask::prescale);
  private final Tally reactive = new Tally(Ask::reactive);

  private record Ask(Instant at, int prescale, int reactive) {}

  /** What one rule has come to. */
  final class Tally {
    private final ToIntFunction<Ask> asked;
    private double replicaSeconds;
    private double overloadedSeconds;

    private Tally(ToIntFunction<Ask> asked) {
      this.asked = asked;
    }

    /** Replicas that the HPA paid for, by time. */
    double replicaSeconds() {
      return replicaSeconds;
    }

    /** Time in which its ready replicas were fewer than the demand needed. */
    double overloadedSeconds() {
      return overloadedSeconds;
    }

    private void count(Instant now, Duration lead, double seconds, int needed) {
      replicaSeconds += seconds * held(now);
      if (ready(now, lead) < needed) {
        overloadedSeconds += seconds;
      }
    }

    /** Falls as late as the HPA's window has it. */
    private int held(Instant at) {
      int held = 0;
      for (Ask ask : asks) {
        boolean old = !ask.at().isAfter(at.minus(STABILIZATION));
        if (!ask.at().isAfter(at)) {
          // The last ask before the window was in force when it began.
          held = old ? asked.applyAsInt(ask) : Math.max(held, asked.applyAsInt(ask));
        }
      }
      return held;
    }

    /** Rises one lead time late. */
    private int ready(Instant now, Duration lead) {
      var from = now.minus(lead);
      int ready = held(from.isBefore(asks.getFirst().at()) ? asks.getFirst().at() : from);
      for (Ask ask : asks) {
        if (ask.at().isAfter(from) && !ask.at().isAfter(now)) {
          ready = Math.min(ready, held(ask.at()));
        }
      }
      return ready;
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

  /**
   * Takes in a tick; the time since the last one is counted with what was asked for until now.
   *
   * @param desired what Prescale asks for
   */
  void ticked(Instant now, Duration lead, int desired, Needed needed) {
    var last = asks.peekLast();
    if (last != null && now.isAfter(last.at())) {
      var since = Duration.between(last.at(), now);
      if (since.compareTo(LONGEST_PAUSE) <= 0) {
        for (Tally tally : List.of(prescale, reactive)) {
          tally.count(now, lead, since.toMillis() / 1000.0, needed.replicas());
        }
      } else {
        asks.clear();
      }
    }
    asks.add(new Ask(now, desired, needed.withinLimits()));
    forget(now.minus(lead).minus(STABILIZATION));
  }

  /** Keeps one ask that is older: it was in force when the time began. */
  private void forget(Instant before) {
    while (asks.size() > 1) {
      var first = asks.removeFirst();
      if (!asks.getFirst().at().isBefore(before)) {
        asks.addFirst(first);
        return;
      }
    }
  }
}
