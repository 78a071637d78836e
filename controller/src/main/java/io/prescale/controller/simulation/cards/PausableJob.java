package io.prescale.controller.simulation.cards;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A Job whose pods work together, and which can be suspended. It works once all of its pods have
 * cards and have started; what it did since its last checkpoint is lost when it ends without one.
 * Not thread-safe.
 */
public final class PausableJob {
  /** From the binding of the last pod until work goes on. */
  public static final Duration START = Duration.ofMinutes(5);

  /** Work between two checkpoints. */
  public static final Duration CHECKPOINT_EVERY = Duration.ofMinutes(30);

  private final PodTemplate template;
  private final int pods;
  private final int cards;
  private final Duration work;
  private List<String> names = List.of();
  private Duration started = Duration.ZERO;
  private Duration done = Duration.ZERO;
  private Duration saved = Duration.ZERO;
  private Optional<Instant> suspended = Optional.empty();
  private int attempts;
  private boolean hasBegun;

  /**
   * A job that has not been submitted.
   *
   * @param template whose workload is the job's name
   * @param pods a gang, if more than one
   * @param cards of all pods
   * @param work until it is complete, all cards together
   */
  public PausableJob(PodTemplate template, int pods, int cards, Duration work) {
    if (pods < 1 || cards < 1 || !work.isPositive()) {
      throw new IllegalArgumentException(
          "a job of %d pods with %d cards for %s".formatted(pods, cards, work));
    }
    this.template = template;
    this.pods = pods;
    this.cards = cards;
    this.work = work;
  }

  public String name() {
    return template.workload();
  }

  public int cards() {
    return cards;
  }

  PodTemplate template() {
    return template;
  }

  int size() {
    return pods;
  }

  /** Those that exist. */
  List<String> pods() {
    return names;
  }

  /** Since when it is suspended. */
  Optional<Instant> suspended() {
    return suspended;
  }

  /** Whether it ever had all of its cards. */
  public boolean hasBegun() {
    return hasBegun;
  }

  boolean isComplete() {
    return done.compareTo(work) >= 0;
  }

  /** Its pods, made anew. */
  List<PodFacts> create(Instant now) {
    var group =
        pods == 1
            ? Optional.<Group>empty()
            : Optional.of(new Group("%s-%d".formatted(name(), attempts), pods));
    var made =
        IntStream.range(0, pods)
            .mapToObj(i -> template.pod("%s-%d-%d".formatted(name(), attempts, i), group, now))
            .toList();
    attempts++;
    names = made.stream().map(PodFacts::uid).toList();
    suspended = Optional.empty();
    started = Duration.ZERO;
    return made;
  }

  /** Lets time pass in which all of its pods have cards; returns the work that was done. */
  Duration pass(Duration time) {
    hasBegun = true;
    var starting = START.minus(started);
    started = started.plus(time);
    if (starting.compareTo(time) >= 0) {
      return Duration.ZERO;
    }
    var working = starting.isNegative() ? time : time.minus(starting);
    var before = done;
    done = done.plus(working).compareTo(work) > 0 ? work : done.plus(working);
    while (saved.plus(CHECKPOINT_EVERY).compareTo(done) <= 0) {
      saved = saved.plus(CHECKPOINT_EVERY);
    }
    return done.minus(before);
  }

  /** Saves its work, as it does when it gets notice. */
  void checkpoint() {
    saved = done;
  }

  /** Ends its pods; returns the work that is lost. */
  Duration suspend(Instant now) {
    var lost = done.minus(saved);
    done = saved;
    names = List.of();
    suspended = Optional.of(now);
    return lost;
  }
}
