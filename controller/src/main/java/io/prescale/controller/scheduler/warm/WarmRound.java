package io.prescale.controller.scheduler.warm;

import io.prescale.controller.scheduler.warm.WarmPod.State;
import io.prescale.controller.scheduler.warm.WarmWish.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which pods that pull images come and go. What stands in the API server is all that it
 * goes by: a pod that has ended says that its node was served, and one that has failed how often
 * and since when.
 */
final class WarmRound {
  private static final Duration FIRST_PAUSE = Duration.ofMinutes(10);
  private static final Duration LONGEST_PAUSE = Duration.ofHours(2);
  private static final int MOST_DOUBLINGS = 10;

  /** How long a node that has been served keeps its turn though no replica is expected there. */
  private static final Duration KEPT = Duration.ofHours(1);

  private final Map<String, WarmWish> wishes;
  private final WarmSettings settings;
  private final Instant now;
  private final List<WarmPod> gone = new ArrayList<>();

  /** The newest pod of a booking on a node. */
  private final Map<Target, WarmPod> newest = new HashMap<>();

  /** How many more nodes are served from now on, by booking. */
  private final Map<String, Integer> added = new HashMap<>();

  /** Bookings of which nodes wait because as many as replicas are served. */
  private final Set<String> bounded = new HashSet<>();

  private final Set<String> busy;
  private int pulling;

  private record Target(String booking, String node) {}

  /** A pod that is to be created. */
  record Create(String booking, String node, int attempt) {}

  /**
   * How far a booking is.
   *
   * @param nodes where replicas will be that are expected soon enough
   * @param ready those of them that have the images
   * @param pulling those of them to which they are being pulled
   * @param failure of one of them, with the node
   * @param isBounded whether some wait because as many nodes as replicas are served
   */
  record Progress(int nodes, int ready, int pulling, Optional<String> failure, boolean isBounded) {}

  /**
   * The next writes.
   *
   * @param progress of each booking, by its UID
   */
  record Result(List<Create> create, List<WarmPod> delete, Map<String, Progress> progress) {
    Result {
      create = List.copyOf(create);
      delete = List.copyOf(delete);
      progress = Map.copyOf(progress);
    }
  }

  private WarmRound(
      List<WarmWish> wishes, Collection<WarmPod> pods, WarmSettings settings, Instant now) {
    this.wishes = wishes.stream().collect(Collectors.toMap(WarmWish::booking, it -> it));
    this.settings = settings;
    this.now = now;
    // Also those that are leaving pull until they are gone; on a dead node they are for long.
    var active = pods.stream().filter(it -> it.state() == State.PULLING).toList();
    busy = active.stream().map(WarmPod::node).collect(Collectors.toCollection(HashSet::new));
    pulling = active.size();
  }

  /**
   * Decides.
   *
   * @param pods that pull, have pulled or have failed
   * @param nodes that there are
   */
  static Result decide(
      List<WarmWish> wishes,
      Collection<WarmPod> pods,
      Set<String> nodes,
      WarmSettings settings,
      Instant now) {
    var timely = pods.stream().map(it -> it.within(settings.patience(), now)).toList();
    return new WarmRound(wishes, timely, settings, now).run(timely, nodes);
  }

  private Result run(Collection<WarmPod> pods, Set<String> nodes) {
    pods.stream()
        .filter(pod -> !pod.isLeaving())
        .sorted(Comparator.comparing(WarmPod::key))
        .forEach(pod -> sort(pod, nodes));
    var create = new ArrayList<Create>();
    var progress = new HashMap<String, Progress>();
    wishes.values().stream()
        .flatMap(wish -> wish.places().stream().map(place -> new Wanted(wish, place)))
        .filter(it -> it.wish().isNeeded() && it.wish().mayCreate() && isSoon(it.place()))
        .sorted(Wanted.ORDER)
        .forEach(it -> next(it).ifPresent(create::add));
    wishes.values().forEach(wish -> progress.put(wish.booking(), progress(wish)));
    return new Result(create, gone, progress);
  }

  private record Wanted(WarmWish wish, Place place) {
    static final Comparator<Wanted> ORDER =
        Comparator.comparing((Wanted it) -> it.place().from())
            .thenComparing(it -> it.wish().booking())
            .thenComparing(it -> it.place().node());

    Target target() {
      return new Target(wish.booking(), place.node());
    }
  }

  /** Of the pods of a target the newest attempt stays; what is needed no more goes. */
  private void sort(WarmPod pod, Set<String> nodes) {
    var wish = wishes.get(pod.booking());
    if (wish == null
        || !wish.isNeeded()
        || !wish.digest().equals(pod.digest())
        || !nodes.contains(pod.node())) {
      gone.add(pod);
      return;
    }
    var target = new Target(pod.booking(), pod.node());
    var other = newest.get(target);
    if (other == null || other.attempt() < pod.attempt()) {
      newest.put(target, pod);
      Optional.ofNullable(other).ifPresent(gone::add);
    } else {
      gone.add(pod);
    }
  }

  private boolean isSoon(Place place) {
    return !now.isBefore(place.from().minus(settings.ahead()));
  }

  private Optional<Create> next(Wanted wanted) {
    var target = wanted.target();
    var last = newest.get(target);
    boolean isTried = last != null && !isDue(last);
    if (wanted.place().hasImages()
        || isTried
        || busy.contains(target.node())
        || pulling >= settings.atOnce()) {
      return Optional.empty();
    }
    if (last == null
        && served(target.booking()) >= wanted.wish().mostNodes()
        && !givesUp(wanted.wish())) {
      bounded.add(target.booking());
      return Optional.empty();
    }
    int attempt = last == null ? 1 : last.attempt() + 1;
    pulling++;
    busy.add(target.node());
    added.merge(target.booking(), last == null ? 1 : 0, Integer::sum);
    return Optional.of(new Create(target.booking(), target.node(), attempt));
  }

  /** Gives up the node that was served first of those where no replica is expected any more. */
  private boolean givesUp(WarmWish wish) {
    var places = wish.places().stream().map(Place::node).collect(Collectors.toSet());
    var first =
        newest.values().stream()
            .filter(it -> it.booking().equals(wish.booking()) && it.state() != State.PULLING)
            .filter(it -> !places.contains(it.node()) && !now.isBefore(it.since().plus(KEPT)))
            .min(Comparator.comparing(WarmPod::since).thenComparing(WarmPod::node));
    first.ifPresent(
        it -> {
          newest.remove(new Target(it.booking(), it.node()));
          gone.add(it);
        });
    return first.isPresent();
  }

  private long served(String booking) {
    return newest.keySet().stream().filter(it -> it.booking().equals(booking)).count()
        + added.getOrDefault(booking, 0);
  }

  /** Whether a pod has failed long enough ago for the next attempt. */
  private boolean isDue(WarmPod pod) {
    var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(MOST_DOUBLINGS, pod.attempt() - 1));
    var bounded = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    return pod.state() == State.FAILED && !now.isBefore(pod.since().plus(bounded));
  }

  private Progress progress(WarmWish wish) {
    int nodes = 0;
    int ready = 0;
    int active = 0;
    Optional<String> failure = Optional.empty();
    for (var place : wish.places()) {
      if (!wish.isNeeded() || !isSoon(place)) {
        continue;
      }
      nodes++;
      var pod = newest.get(new Target(wish.booking(), place.node()));
      if (place.hasImages() || is(pod, State.PULLED)) {
        ready++;
      } else if (is(pod, State.PULLING)) {
        active++;
      } else if (is(pod, State.FAILED)) {
        failure = Optional.of(place.node() + ": " + Objects.requireNonNull(pod).why());
      }
    }
    return new Progress(nodes, ready, active, failure, bounded.contains(wish.booking()));
  }

  private static boolean is(@Nullable WarmPod pod, State state) {
    return pod != null && pod.state() == state;
  }
}
