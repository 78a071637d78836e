package io.prescale.controller.lab;

import io.prescale.controller.lab.WeekEvent.Bound;
import io.prescale.controller.lab.WeekEvent.Created;
import io.prescale.controller.lab.WeekEvent.Ended;
import io.prescale.controller.lab.WeekEvent.Evicted;
import io.prescale.controller.lab.WeekEvent.Noticed;
import io.prescale.controller.lab.WeekEvent.Part;
import io.prescale.controller.lab.WeekEvent.Why;
import io.prescale.controller.lab.WeekEvent.Withdrawn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays what happened and finds each moment at which a bound was broken. Knows nothing of the
 * program: only what the API server has recorded, what queues and cards have, and how long notices
 * are. Not thread-safe.
 */
final class WeekCheck {
  private static final int ALL_CORES = 100;

  /** What ends comes first: it is dated by its request, and what begins by its answer. */
  private static final Comparator<WeekEvent> ORDER =
      Comparator.comparing(WeekEvent::at)
          .thenComparing(it -> it instanceof Bound)
          .thenComparing(it -> !(it instanceof Created));

  private final Map<String, Integer> memoryMib;
  private final Duration notice;
  private final Map<String, QueueOfWeek> queues = new TreeMap<>();
  private final Map<String, PodOfWeek> pods = new HashMap<>();
  private final Map<String, Load> cards = new HashMap<>();
  private final List<String> breaches = new ArrayList<>();
  private final List<Duration> notices = new ArrayList<>();
  private int taken;
  private int moved;
  private int closeTakings;

  /**
   * A check of which nothing has been replayed.
   *
   * @param memoryMib of each card
   * @param notice that pods have at least
   * @param slack within which the program may not know yet what pods did by themselves
   */
  WeekCheck(
      Map<String, Bounds> queues, Map<String, Integer> memoryMib, Duration notice, Duration slack) {
    this.memoryMib = Map.copyOf(memoryMib);
    this.notice = notice;
    queues.forEach((name, bounds) -> this.queues.put(name, new QueueOfWeek(bounds, slack)));
  }

  /** What a queue may have, in thousandths of a card. */
  record Bounds(int guaranteeMilli, int limitMilli) {}

  private record Load(int memoryMib, int cores, int pods) {
    private static Load of(Part part) {
      return new Load(part.memoryMib(), part.cores(), 1);
    }

    private Load plus(Load other) {
      return new Load(memoryMib + other.memoryMib, cores + other.cores, pods + other.pods);
    }

    private Load negated() {
      return new Load(-memoryMib, -cores, -pods);
    }
  }

  /** A pod that is there. */
  private static final class PodOfWeek {
    private final String queue;
    private final int milli;
    private final Instant created;
    private final Map<Why, Noticed> notices = new EnumMap<>(Why.class);
    private @Nullable Bound bound;

    private PodOfWeek(Created created) {
      queue = created.queue();
      milli = created.milli();
      this.created = created.at();
    }
  }

  /**
   * What was found.
   *
   * @param breaches each time that a bound was broken
   * @param closeTakings evictions after which the queue had less than its guarantee, because others
   *     of its pods had ended so shortly before that the program need not have known
   * @param notices how long pods had notice that were evicted
   */
  record Findings(
      List<String> breaches,
      int taken,
      int moved,
      int closeTakings,
      List<Duration> notices,
      Map<String, QueueOfWeek.Times> queues) {
    Findings {
      breaches = List.copyOf(breaches);
      notices = notices.stream().sorted().toList();
    }
  }

  /** Replays all that happened, in the order of its time. */
  Findings replay(List<WeekEvent> events) {
    var ordered = events.stream().sorted(ORDER).toList();
    announceBindings(ordered);
    ordered.forEach(this::replay);
    var times = new TreeMap<String, QueueOfWeek.Times>();
    queues.forEach((name, queue) -> times.put(name, queue.times()));
    return new Findings(breaches, taken, moved, closeTakings, notices, times);
  }

  private void announceBindings(List<WeekEvent> ordered) {
    var created = new HashMap<String, Created>();
    for (var event : ordered) {
      switch (event) {
        case Created it -> created.put(it.pod(), it);
        case Bound it -> {
          var pod = created.get(it.pod());
          if (pod != null) {
            queue(pod.queue()).willBind(it.at(), pod.milli());
          }
        }
        default -> {
          // Decides nothing here.
        }
      }
    }
  }

  private void replay(WeekEvent event) {
    if (event instanceof Created created) {
      pods.put(created.pod(), new PodOfWeek(created));
      queue(created.queue()).created(created.at(), created.milli());
      return;
    }
    var pod = pods.get(event.pod());
    if (pod == null) {
      // KWOK deletes what leaves, too, and a watch sees the last changes of a pod a little later.
      if (event instanceof Bound || event instanceof Evicted) {
        breach(event, "is not there");
      }
      return;
    }
    switch (event) {
      case Created _ -> throw new AssertionError("was treated above");
      case Bound it -> bound(pod, it);
      case Noticed it -> pod.notices.put(it.why(), it);
      case Withdrawn it -> pod.notices.remove(it.why());
      case Evicted it -> evicted(pod, it);
      case Ended it -> ended(pod, it);
    }
  }

  private void bound(PodOfWeek pod, Bound bound) {
    if (pod.bound != null) {
      breach(bound, "is bound twice");
      return;
    }
    pod.bound = bound;
    queue(pod.queue)
        .bound(bound.at(), pod.milli, pod.created)
        .ifPresent(it -> breach(bound, "queue %s %s".formatted(pod.queue, it)));
    for (var part : bound.parts()) {
      var load = cards.merge(part.uuid(), Load.of(part), Load::plus);
      if (load.memoryMib() > memoryMib.getOrDefault(part.uuid(), 0)
          || load.cores() > ALL_CORES
          || load.pods() > OpenbNodes.SHARERS) {
        breach(bound, "card %s is given out as %s".formatted(part.uuid(), load));
      }
    }
  }

  private void evicted(PodOfWeek pod, Evicted evicted) {
    pods.remove(evicted.pod());
    var queue = queue(pod.queue);
    var notice = pod.notices.values().stream().min(Comparator.comparing(Noticed::until));
    if (notice.isEmpty()) {
      breach(evicted, "had no notice");
    } else {
      checkNotice(notice.get(), evicted);
    }
    if (notice.filter(it -> it.why() == Why.MOVE).isPresent()) {
      moved++;
    } else {
      taken++;
      checkGuarantee(queue, pod, evicted);
    }
    queue.evicted(evicted.at(), pod.milli);
    free(pod);
  }

  private void checkNotice(Noticed noticed, Evicted evicted) {
    var had = Duration.between(noticed.at(), evicted.at());
    notices.add(had);
    if (evicted.at().isBefore(noticed.until())) {
      breach(evicted, "had its cards until " + noticed.until());
    }
    if (had.compareTo(notice) < 0) {
      breach(evicted, "had notice for %d ms".formatted(had.toMillis()));
    }
  }

  private void checkGuarantee(QueueOfWeek queue, PodOfWeek pod, Evicted evicted) {
    int left = queue.without(pod.milli);
    int missing = queue.guaranteeMilli() - left;
    if (missing > queue.believedMilli(evicted.at())) {
      breach(
          evicted,
          "leaves queue %s %d of the %d that it is guaranteed"
              .formatted(pod.queue, left, queue.guaranteeMilli()));
    } else if (missing > 0) {
      closeTakings++;
    }
  }

  private void ended(PodOfWeek pod, Ended ended) {
    pods.remove(ended.pod());
    if (pod.bound == null) {
      queue(pod.queue).endedWaiting(ended.at(), pod.milli);
    } else {
      queue(pod.queue).ended(ended.at(), pod.milli);
      free(pod);
    }
  }

  private void free(PodOfWeek pod) {
    if (pod.bound != null) {
      pod.bound
          .parts()
          .forEach(part -> cards.merge(part.uuid(), Load.of(part).negated(), Load::plus));
    }
  }

  private QueueOfWeek queue(String name) {
    return Objects.requireNonNull(queues.get(name), name);
  }

  private void breach(WeekEvent event, String what) {
    breaches.add("%s pod %s %s".formatted(event.at(), event.pod(), what));
  }
}
