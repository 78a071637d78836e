package io.prescale.placement.ledger;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one pod at a time be handed over to the device plugin of a node, from its binding until the
 * plugin has given it its devices. A pod whose plugin never answers is passed by after a while.
 * Thread-safe; callers wait.
 */
public final class HandOvers {
  /**
   * The time that the kubelet and the plugin take on an idle node; holds until the first hand-over.
   */
  private static final Duration USUAL = Duration.ofMillis(250);

  /** The newest duration has one part in this many of the average. */
  private static final int WEIGHT = 8;

  private static final int MOST_OF_TYPICAL = 4;

  private final Map<String, Turns> nodes = new ConcurrentHashMap<>();
  private final AtomicLong typicalNanos = new AtomicLong(USUAL.toNanos());
  private final LongSupplier nanoTime;
  private final Duration longest;

  /**
   * @param nanoTime a clock that never goes back, as {@link System#nanoTime}
   * @param longest the time after which a pod is passed by
   */
  public HandOvers(LongSupplier nanoTime, Duration longest) {
    this.nanoTime = nanoTime;
    this.longest = longest;
  }

  /** The turns on one node: the pod that has its turn, and how many wait. */
  private static final class Turns {
    @Nullable String pod;
    long since;
    int waiting;
  }

  /**
   * Waits until it is a pod's turn.
   *
   * @return false when the patience was over before
   */
  public boolean take(String node, String pod, Duration patience) throws InterruptedException {
    var turns = nodes.computeIfAbsent(node, _ -> new Turns());
    long end = nanoTime.getAsLong() + patience.toNanos();
    synchronized (turns) {
      turns.waiting++;
      try {
        while (isTaken(turns, pod)) {
          long now = nanoTime.getAsLong();
          long wait = Math.min(end, turns.since + longest.toNanos()) - now;
          if (end - now <= 0) {
            return false;
          }
          turns.wait(Math.max(1, Duration.ofNanos(wait).toMillis()));
        }
        turns.pod = pod;
        turns.since = nanoTime.getAsLong();
        return true;
      } finally {
        turns.waiting--;
      }
    }
  }

  private boolean isTaken(Turns turns, String pod) {
    return turns.pod != null
        && !turns.pod.equals(pod)
        && nanoTime.getAsLong() - turns.since < longest.toNanos();
  }

  /** Observes a pod that was bound elsewhere: it has the turn, unless another has it. */
  public void begin(String node, String pod) {
    var turns = nodes.computeIfAbsent(node, _ -> new Turns());
    synchronized (turns) {
      if (turns.pod == null) {
        turns.pod = pod;
        turns.since = nanoTime.getAsLong();
      }
    }
  }

  /** Ends the turn of a pod that has its devices, or will never have them. */
  public void done(String node, String pod) {
    var turns = nodes.get(node);
    if (turns != null) {
      synchronized (turns) {
        if (pod.equals(turns.pod)) {
          lasted(nanoTime.getAsLong() - turns.since);
          turns.pod = null;
          turns.notifyAll();
        }
      }
    }
  }

  /** Limits the weight of one slow node. */
  private void lasted(long nanos) {
    typicalNanos.updateAndGet(
        typical -> typical + (Math.min(nanos, MOST_OF_TYPICAL * typical) - typical) / WEIGHT);
  }

  /**
   * How long a pod would wait for its turn on a node, by the duration of recent hand-overs; one
   * that has lasted longer already is expected to last as long again.
   */
  public Duration expectedWait(String node) {
    var turns = nodes.get(node);
    if (turns == null) {
      return Duration.ZERO;
    }
    long typical = typicalNanos.get();
    synchronized (turns) {
      long current = turns.pod == null ? 0 : Math.max(typical, nanoTime.getAsLong() - turns.since);
      return Duration.ofNanos(current + turns.waiting * typical);
    }
  }

  /** Removes a node that is gone. */
  public void nodeGone(String node) {
    nodes.remove(node);
  }
}
