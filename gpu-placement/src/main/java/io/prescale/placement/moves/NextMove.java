package io.prescale.placement.moves;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.moves.Course.Goal;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Begins the next move, or advises it, where none is under way. For one round. */
final class NextMove {
  /** Waiting pods for which a plan is made in one round; bounds its time. */
  private static final int MOST_SEARCHES = 3;

  private final MoveView view;
  private final Instant now;
  private final Draft draft;

  NextMove(MoveView view, Instant now, Draft draft) {
    this.view = view;
    this.now = now;
    this.draft = draft;
  }

  /** Sick cards first, then what was planned, then what waits, then fragments. */
  void begin() {
    var terms = view.terms();
    if (terms.mode() == Mode.OFF || terms.left() <= 0) {
      draft.course = draft.course.withoutPlan();
    } else if (terms.mode() == Mode.ADVISE) {
      advise();
    } else if (!leaveSickCards()) {
      goOn();
    }
  }

  private boolean leaveSickCards() {
    if (view.sick().isEmpty()) {
      return false;
    }
    var moves = new MovePlanner(view, draft.ground()).offSickCards();
    if (moves.isEmpty()) {
      return false;
    }
    notify(moves.getFirst(), Optional.empty());
    return true;
  }

  /** Goes on with the plan, if it still fits; otherwise makes another one. */
  private void goOn() {
    if (!view.terms().isOpen()) {
      draft.course = draft.course.withoutPlan();
      return;
    }
    if (!draft.course.plan().isEmpty()) {
      var planner = new MovePlanner(view, draft.ground());
      var next = draft.course.plan().getFirst();
      if (planner.isPossible(next)) {
        begin(next);
        return;
      }
      draft.course = draft.course.withoutPlan();
    }
    if (draft.course.goal().isEmpty() && !makeRoom()) {
      lowerFragmentation();
    }
  }

  /** It remains the next one until its notice is seen. */
  private void begin(Move next) {
    notify(next, draft.course.goal().map(Goal::wanted));
  }

  private void notify(Move move, Optional<String> wanted) {
    var pod = view.residents().get(move.from().request().name());
    if (pod != null) {
      var notice =
          new MoveNotice(
              now.plus(pod.grace()),
              move.to().node(),
              move.to().uuids(),
              move.reason(),
              wanted.filter(_ -> move.reason() == Reason.MAKES_WAY));
      draft.steps.add(new MoveStep.Notify(pod.uid(), notice));
    }
  }

  /** Pods for which a plan is to be made, none twice within a while. */
  private List<WantingPod> due() {
    return view.wanted().stream()
        .filter(it -> !draft.course.searched().getOrDefault(it.uid(), Instant.MIN).isAfter(now))
        .sorted(WantingPod.ORDER)
        .limit(MOST_SEARCHES)
        .toList();
  }

  private boolean makeRoom() {
    for (var wanted : due()) {
      draft.course =
          draft.course.searchedFor(wanted.uid(), now, now.plus(MoveRound.UNTIL_SEARCHED_AGAIN));
      var plan = new MovePlanner(view, draft.ground()).roomFor(wanted);
      if (plan.isPresent()) {
        var cards = plan.get().target().map(Placement::uuids).orElseThrow();
        var goal = new Goal(wanted.uid(), cards, now.plus(MoveRound.UNTIL_BOUND));
        draft.course = draft.course.withPlan(plan.get().moves(), Optional.of(goal));
        begin(plan.get().moves().getFirst());
        return true;
      }
    }
    return false;
  }

  private void lowerFragmentation() {
    var moves = fragments();
    if (!moves.isEmpty()) {
      draft.course = draft.course.withPlan(moves, Optional.empty());
      begin(moves.getFirst());
    }
  }

  private List<Move> fragments() {
    if (draft.course.nextLook().isAfter(now)) {
      return List.of();
    }
    draft.course = draft.course.withNextLook(now.plus(view.terms().interval()));
    return new MovePlanner(view, draft.ground()).againstFragments();
  }

  private void advise() {
    draft.course = draft.course.withoutPlan();
    if (!view.sick().isEmpty()) {
      advise(new MovePlanner(view, draft.ground()).offSickCards(), Optional.empty());
    }
    if (!view.terms().isOpen()) {
      return;
    }
    for (var wanted : due()) {
      draft.course =
          draft.course.searchedFor(wanted.uid(), now, now.plus(MoveRound.UNTIL_SEARCHED_AGAIN));
      new MovePlanner(view, draft.ground())
          .roomFor(wanted)
          .ifPresent(plan -> advise(plan.moves(), Optional.of(wanted.uid())));
    }
    advise(fragments(), Optional.empty());
  }

  private void advise(List<Move> moves, Optional<String> wanted) {
    if (!moves.isEmpty()) {
      draft.steps.add(new MoveStep.Advise(moves, wanted));
    }
  }
}
