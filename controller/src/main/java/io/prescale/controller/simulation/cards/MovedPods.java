package io.prescale.controller.simulation.cards;

import io.prescale.controller.scheduler.evictions.WithinTheHour;
import io.prescale.controller.scheduler.moves.DailyWindow;
import io.prescale.controller.scheduler.moves.LedgerMoves;
import io.prescale.controller.scheduler.moves.MoveRow;
import io.prescale.controller.scheduler.moves.MoveRows;
import io.prescale.controller.scheduler.moves.SickSince;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.inventory.PodFacts.Phase;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.MoveFacts;
import io.prescale.placement.moves.Course;
import io.prescale.placement.moves.MoveNotice;
import io.prescale.placement.moves.MoveRound;
import io.prescale.placement.moves.MoveStep;
import io.prescale.placement.moves.MoveView;
import io.prescale.placement.moves.Resident;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Moves pods off cards that are sick, out of the way of pods without room, and together where they
 * leave fragments, by the rounds that do so in a cluster. What the API server would have written
 * down is kept here. Not thread-safe.
 */
public final class MovedPods {
  /** A card that is sick for less is left alone. */
  public static final Duration SICK_AFTER = Duration.ofMinutes(5);

  private static final Duration GRACE = Duration.ofMinutes(1);

  private final Terms terms;

  private final Ledger ledger;
  private final Map<String, MoveNotice> notices = new HashMap<>();
  private final WithinTheHour begun = new WithinTheHour();
  private final SickSince sickSince = new SickSince();
  private final MoveRows rows = new MoveRows(Optional::of);
  private Course course = Course.NONE;
  private List<MoveRow> shown = List.of();

  /**
   * What is permitted.
   *
   * @param mostAnHour how many moves may begin within an hour, besides those off sick cards
   * @param interval between two looks at fragments
   * @param window when pods move that are not on sick cards
   */
  public record Terms(int mostAnHour, Duration interval, DailyWindow window) {
    /** When services have the fewest replicas, and leave the most fragments. */
    public static final Terms BY_NIGHT =
        new Terms(
            4,
            Duration.ofMinutes(10),
            new DailyWindow(LocalTime.of(1, 0), LocalTime.of(5, 0), ZoneOffset.UTC));
  }

  /** Nothing has moved yet. */
  public MovedPods(Ledger ledger, Terms terms) {
    this.ledger = ledger;
    this.terms = terms;
  }

  /** Moves under way, and the last ones made. */
  public List<MoveRow> shown() {
    return shown;
  }

  /** Forgets since when cards have been sick, as all are well. */
  public void allAreWell() {
    sickSince.longerThan(SICK_AFTER, Set.of(), Instant.EPOCH);
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
    var view = view(facts, residents, sick, now);
    var result = MoveRound.decide(view, now);
    course = result.course();
    ledger.keepForMoves(
        LedgerMoves.kept(result.kept(), kin -> Optional.ofNullable(kinds.get(kin))));
    shown = rows.after(view, result, now);
    result.steps().forEach(step -> carryOut(step, evict, now));
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

  private MoveView view(
      MoveFacts facts, Map<String, Resident> residents, Set<String> sick, Instant now) {
    return new MoveView(
        facts.cluster(),
        residents,
        Map.of(),
        Map.of(),
        LedgerMoves.wanted(facts),
        facts.waiting(),
        Set.of(),
        Set.of(),
        sick,
        facts.kept(),
        facts.workload(),
        new MoveView.Terms(
            Mode.ACT,
            terms.window().contains(now),
            // Pods leave sick cards whatever else has moved.
            Math.max(sick.isEmpty() ? 0 : 1, terms.mostAnHour() - begun.count(now)),
            terms.interval()),
        course);
  }

  private void carryOut(MoveStep step, Consumer<String> evict, Instant now) {
    switch (step) {
      case MoveStep.Notify(var uid, var notice) -> {
        notices.put(uid, notice);
        if (notice.reason() != Move.Reason.SICK_CARD) {
          begun.add(uid, now);
        }
      }
      case MoveStep.Withdraw(var uid, _) -> notices.remove(uid);
      case MoveStep.Evict(var uid, _) -> {
        notices.remove(uid);
        evict.accept(uid);
      }
      case MoveStep.Arrive _, MoveStep.GiveUp _, MoveStep.Advise _ -> {} // the rows say so
    }
  }
}
