package io.prescale.controller.simulation.cards;

import io.prescale.controller.scheduler.moves.MoveRow;
import io.prescale.controller.scheduler.moves.MoveRows;
import io.prescale.controller.scheduler.moves.SickSince;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.KeptCards;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.moves.Course;
import io.prescale.placement.moves.KeptPlace;
import io.prescale.placement.moves.MoveNotice;
import io.prescale.placement.moves.MoveRound;
import io.prescale.placement.moves.MoveStep;
import io.prescale.placement.moves.MoveView;
import io.prescale.placement.moves.Resident;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Moves pods off cards that are sick, by the rounds that do so in a cluster. What the API server
 * would have written down is kept here. Not thread-safe.
 */
public final class MovedPods {
  /** A card that is sick for less is left alone. */
  public static final Duration SICK_AFTER = Duration.ofMinutes(5);

  private static final Duration GRACE = Duration.ofMinutes(1);

  /** Nothing but pods on sick cards moves, and as many as there are. */
  private static final MoveView.Terms TERMS =
      new MoveView.Terms(Mode.ACT, false, Integer.MAX_VALUE, Duration.ofDays(1));

  private final Ledger ledger;
  private final Map<String, MoveNotice> notices = new HashMap<>();
  private final SickSince sickSince = new SickSince();
  private final MoveRows rows = new MoveRows(Optional::of);
  private Course course = Course.NONE;
  private List<MoveRow> shown = List.of();

  /** Nothing has moved yet. */
  public MovedPods(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Moves under way, and the last ones made. */
  public List<MoveRow> shown() {
    return shown;
  }

  /** Forgets since when cards have been sick, as all are well. */
  public void allAreWell() {
    sickSince.longerThan(SICK_AFTER, Set.of(), Instant.EPOCH);
  }

  /** Whether a pod has notice, or its replacement is awaited. */
  public boolean isUnderWay() {
    return course.isBusy() || !notices.isEmpty();
  }

  /**
   * One round.
   *
   * @param mayMove of a pod, whether its rules permit it now
   * @param evict deletes a pod, and creates its replacement
   */
  public void round(Predicate<String> mayMove, Consumer<String> evict, Instant now) {
    var facts = ledger.moveFacts();
    var residents = new HashMap<String, Resident>();
    var kinds = new HashMap<String, PodSelector>();
    for (var held : facts.held()) {
      var resident = resident(held, mayMove);
      residents.put(resident.uid(), resident);
      kinds.put(resident.kin(), new PodSelector(held.pod().namespace(), held.pod().labels()));
    }
    notices.keySet().retainAll(residents.keySet());
    var sick = sickSince.longerThan(SICK_AFTER, facts.sick(), now);
    var view = view(facts, residents, sick);
    var result = MoveRound.decide(view, now);
    course = result.course();
    ledger.keepForMoves(result.kept().stream().flatMap(it -> kept(it, kinds).stream()).toList());
    shown = rows.after(view, result, now);
    result.steps().forEach(step -> carryOut(step, evict));
  }

  private Resident resident(MoveFacts.Held held, Predicate<String> mayMove) {
    var pod = held.pod();
    return new Resident(
        pod.uid(),
        pod.namespace() + pod.labels(),
        held.shape(),
        pod.group().map(group -> group.name()),
        pod.phase() == Phase.RUNNING && mayMove.test(pod.uid()),
        false,
        GRACE,
        Optional.ofNullable(notices.get(pod.uid())),
        pod.created());
  }

  private MoveView view(MoveFacts facts, Map<String, Resident> residents, Set<String> sick) {
    return new MoveView(
        facts.cluster(),
        residents,
        Map.of(),
        Map.of(),
        List.of(),
        facts.waiting(),
        Set.of(),
        Set.of(),
        sick,
        facts.kept(),
        facts.workload(),
        TERMS,
        course);
  }

  private static Optional<KeptCards> kept(KeptPlace place, Map<String, PodSelector> kinds) {
    if (place.kin().isEmpty()) {
      return Optional.of(new KeptCards(Set.of(), place.uuids()));
    }
    return Optional.ofNullable(kinds.get(place.kin().get()))
        .map(pods -> KeptCards.place(pods, place.uuids()));
  }

  private void carryOut(MoveStep step, Consumer<String> evict) {
    switch (step) {
      case MoveStep.Notify(var uid, var notice) -> notices.put(uid, notice);
      case MoveStep.Withdraw(var uid, _) -> notices.remove(uid);
      case MoveStep.Evict(var uid, _) -> {
        notices.remove(uid);
        evict.accept(uid);
      }
      case MoveStep.Arrive _, MoveStep.GiveUp _, MoveStep.Advise _ -> {} // the rows say so
    }
  }
}
