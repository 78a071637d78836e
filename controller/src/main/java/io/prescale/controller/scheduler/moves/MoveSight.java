package io.prescale.controller.scheduler.moves;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.moves.Course;
import io.prescale.placement.moves.MoveView;
import io.prescale.placement.moves.Resident;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What is seen of the cluster for one round of moves.
 *
 * @param pods that are known, by UID
 * @param admitting the nodes whose labels and taints let a pod in; empty if all do
 * @param sick cards that have been sick for long enough
 * @param losses why the Job of a pod might not survive that it is evicted
 */
record MoveSight(
    MoveFacts facts,
    Map<String, MovablePod> pods,
    MoveSettings settings,
    Function<Pod, Optional<Set<String>>> admitting,
    Set<String> sick,
    Function<MovablePod, Optional<String>> losses,
    Instant now) {
  /** How long a pod that has moved is left alone. */
  private static final Duration REST = Duration.ofHours(1);

  /** What lies further ahead was written by others. */
  private static final Duration CLOCK_SKEW = Duration.ofMinutes(5);

  /**
   * The view.
   *
   * @param refused pods whose eviction has been refused for long
   * @param begun moves within the last hour, as far as this process knows
   */
  MoveView view(Set<String> refused, int begun, Course course) {
    var onSickCards = onSickCards();
    var kinUnready = kinUnready(onSickCards);
    var residents = new HashMap<String, Resident>();
    var nodes = new HashMap<String, Set<String>>();
    var minimum = new HashMap<String, Integer>();
    for (var held : facts.held()) {
      var pod = pods.get(held.pod().uid());
      if (pod == null) {
        continue;
      }
      // On a sick card it is of no use, whatever its queue is owed; its new place is kept for it.
      boolean isSick = onSickCards.contains(pod.uid());
      boolean mayMove =
          held.pod().phase() == Phase.RUNNING
              && !kinUnready.contains(pod.kinKey())
              && (isSick || (held.mayReturn() && !rests(pod)))
              && objection(pod, isSick).isEmpty();
      var resident = pod.resident(held, mayMove, settings.policy());
      residents.put(pod.uid(), resident);
      if (resident.mayMove()) {
        admitting.apply(pod.rules()).ifPresent(open -> nodes.put(pod.uid(), open));
      }
      held.gang().ifPresent(gang -> minimum.put(resident.gang().orElseThrow(), gang.size()));
    }
    return new MoveView(
        facts.cluster(),
        residents,
        nodes,
        minimum,
        LedgerMoves.wanted(facts),
        facts.waiting(),
        strays(),
        refused,
        sick,
        facts.kept(),
        facts.workload(),
        terms(begun),
        course);
  }

  /**
   * Those of whose kin a pod waits for a node or is not ready: the others serve for it, and stay. A
   * pod on a sick card need not be ready.
   */
  private Set<String> kinUnready(Set<String> onSickCards) {
    return pods.values().stream()
        .filter(pod -> pod.isAwaited() && !pod.isLeaving() && !onSickCards.contains(pod.uid()))
        .map(MovablePod::kinKey)
        .collect(toSet());
  }

  private MoveView.Terms terms(int begun) {
    boolean isOpen =
        settings.windows().isEmpty()
            || settings.windows().stream().anyMatch(window -> window.contains(now));
    int left = settings.policy().maxPerHour() - Math.max(begun, (int) movedInTheHour());
    return new MoveView.Terms(
        settings.policy().mode(), isOpen, Math.max(0, left), settings.interval());
  }

  /** As far as replacements tell; another process may have moved them. */
  private long movedInTheHour() {
    return pods.values().stream().filter(this::rests).count();
  }

  private boolean rests(MovablePod pod) {
    return pod.movedAt()
        .filter(at -> at.isBefore(now.plus(CLOCK_SKEW)) && at.isAfter(now.minus(REST)))
        .isPresent();
  }

  private Set<String> onSickCards() {
    return sick.isEmpty()
        ? Set.of()
        : facts
            .cluster()
            .placements()
            .filter(place -> place.shares().stream().anyMatch(it -> sick.contains(it.uuid())))
            .map(place -> place.request().name())
            .collect(toSet());
  }

  /** Pods that do not leave the sick cards that they have, by UID, and by which rule. */
  Map<String, String> staying() {
    var onSickCards = onSickCards();
    if (onSickCards.isEmpty()) {
      return Map.of();
    }
    var members = new HashMap<String, Integer>();
    facts.held().forEach(held -> gang(held).ifPresent(it -> members.merge(it, 1, Integer::sum)));
    var staying = new HashMap<String, String>();
    for (var held : facts.held()) {
      var pod = pods.get(held.pod().uid());
      if (pod != null && !pod.isLeaving() && onSickCards.contains(pod.uid())) {
        int others = gang(held).map(it -> members.getOrDefault(it, 0) - 1).orElse(0);
        boolean isNeeded = held.gang().filter(it -> others < it.size()).isPresent();
        objection(pod, true)
            .or(() -> isNeeded ? Optional.of("its gang needs it") : Optional.empty())
            .ifPresent(why -> staying.put(pod.uid(), why));
      }
    }
    return staying;
  }

  /** Asks for the Job only of a pod that would stay on a well card. */
  private Optional<String> objection(MovablePod pod, boolean isSick) {
    return pod.objection().isEmpty() || !isSick
        ? pod.objection()
        : pod.objectionIfSick().or(() -> losses.apply(pod));
  }

  private static Optional<String> gang(MoveFacts.Held held) {
    return held.gang().map(gang -> gang.in(held.pod().namespace()));
  }

  /** Pods with a notice that makes no sense, or without the cards that they are to leave. */
  private Set<String> strays() {
    var held = facts.held().stream().map(it -> it.pod().uid()).collect(toSet());
    return pods.values().stream()
        .filter(pod -> pod.isMarked() && !pod.isLeaving())
        .filter(pod -> pod.notice().isEmpty() || !held.contains(pod.uid()))
        .map(MovablePod::uid)
        .collect(toSet());
  }
}
