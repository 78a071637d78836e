package io.prescale.controller.scheduler.moves;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.moves.Course;
import io.prescale.placement.moves.MoveRound;
import io.prescale.placement.moves.Pursued;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Moves pods off sick cards, and so that free cards are of use: reads what is written on pods, has
 * {@link MoveRound} decide, and carries out its steps. If it is killed, another one goes on with
 * the moves that stand on pods, and plans the others anew.
 */
public final class MoveExecutor {
  /** While nothing is under way; a round reads what every pod asks for. */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final Ledger ledger;
  private final InstantSource clock;
  private final MoveSettings settings;
  private final MoveMetrics metrics;
  private final Function<Pod, Optional<Set<String>>> admitting;
  private final Map<String, MovablePod> pods = new ConcurrentHashMap<>();
  private final Map<String, PodSelector> kin = new HashMap<>();
  private final SickSince sickSince = new SickSince();
  private final MoveReports reports;
  private final MoveActions actions;
  private final JobLosses losses;
  private final MoveRows rows;
  private Course course = Course.NONE;
  private Instant lastRound = Instant.EPOCH;
  private volatile List<MoveRow> shown = List.of();

  /**
   * An executor that has seen nothing.
   *
   * @param admitting the nodes whose labels and taints let a pod in; empty if all do
   */
  public MoveExecutor(
      KubernetesClient client,
      Ledger ledger,
      InstantSource clock,
      MoveSettings settings,
      MoveMetrics metrics,
      Function<Pod, Optional<Set<String>>> admitting) {
    this.ledger = ledger;
    this.clock = clock;
    this.settings = settings;
    this.metrics = metrics;
    this.admitting = admitting;
    var writer = new PodWriter(client);
    reports = new MoveReports(writer, this::pod);
    actions = new MoveActions(writer, reports, metrics, this::pod);
    losses = new JobLosses(client);
    rows = new MoveRows(uid -> pod(uid).map(MovablePod::display));
  }

  /** Records the newest state of a pod; those without devices do not move. */
  public void seen(Pod pod) {
    if (pod.getSpec().getContainers().stream().anyMatch(MoveExecutor::asksForDevices)) {
      var movable = MovablePod.of(pod);
      pods.put(movable.uid(), movable);
    }
  }

  private static boolean asksForDevices(Container container) {
    var resources = container.getResources();
    return resources != null
        && resources.getLimits() != null
        && resources.getLimits().keySet().stream().anyMatch(key -> key.contains("/"));
  }

  /** Removes a pod that is gone. */
  public void gone(Pod pod) {
    pods.remove(pod.getMetadata().getUid());
  }

  /** Moves under way, planned or advised, and the last ones made. */
  public List<MoveRow> shown() {
    return shown;
  }

  /**
   * One round; for one thread. If it fails, no cards are kept until another one has not.
   *
   * @param isAnswering whether this replica still decides; asked before each eviction
   */
  public void round(BooleanSupplier isAnswering) {
    var now = clock.instant();
    boolean isUnderWay = course.isBusy() || pods.values().stream().anyMatch(MovablePod::isMarked);
    boolean isOff = settings.policy().mode() == Mode.OFF;
    boolean isSoonAgain = now.isBefore(lastRound.plus(PAUSE));
    if (isUnderWay ? isOff && isSoonAgain : isOff || isSoonAgain) {
      return;
    }
    lastRound = now;
    try {
      round(isAnswering, now);
    } catch (RuntimeException e) {
      ledger.keepForMoves(List.of());
      throw e;
    }
  }

  private void round(BooleanSupplier isAnswering, Instant now) {
    var facts = ledger.moveFacts();
    var sick = sickSince.longerThan(settings.sickAfter(), facts.sick(), now);
    var sight =
        new MoveSight(
            facts,
            Map.copyOf(pods),
            settings,
            admitting,
            sick,
            pod -> losses.objection(pod, now),
            now);
    var view = sight.view(actions.refused(now), actions.begun(now), course);
    var result = MoveRound.decide(view, now);
    course = result.course();
    ledger.keepForMoves(LedgerMoves.kept(result.kept(), this::selector));
    shown = rows.after(view, result, now);
    metrics.planned(
        (int) shown.stream().filter(row -> row.state() == MoveRow.State.PLANNED).count());
    actions.carryOut(result.steps(), isAnswering, now);
    reports.staying(sight.staying(), now);
  }

  /** The last pod of a kin may be gone before its replacement is there. */
  private Optional<PodSelector> selector(String key) {
    pods.values().stream()
        .filter(pod -> pod.kinKey().equals(key))
        .flatMap(pod -> pod.kin().stream())
        .findFirst()
        .ifPresent(selector -> kin.put(key, selector));
    kin.keySet().retainAll(course.pursued().stream().map(Pursued::kin).collect(Collectors.toSet()));
    return Optional.ofNullable(kin.get(key));
  }

  private Optional<MovablePod> pod(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }
}
