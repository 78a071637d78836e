package io.prescale.placement.moves;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Decides which writes come next so that pods move, one after another. The same view and time give
 * the same steps; a step that was not carried out, or whose outcome is unknown, comes again.
 *
 * <p>A move is a notice on a pod, which names the place of its replacement; then an eviction; then
 * the replacement's arrival, which the place is kept for. Only after it does another move begin.
 */
public final class MoveRound {
  /** Within that time a replacement is made and bound, or its place is given out again. */
  static final Duration UNTIL_BOUND = Duration.ofMinutes(2);

  /** Until a plan is made again for a pod for which there was none. */
  static final Duration UNTIL_SEARCHED_AGAIN = Duration.ofSeconds(30);

  private final MoveView view;
  private final Instant now;
  private final Draft draft;

  private MoveRound(MoveView view, Instant now) {
    this.view = view;
    this.now = now;
    draft = new Draft(view);
  }

  /** The result of a round. */
  public record Result(List<MoveStep> steps, List<KeptPlace> kept, Course course) {
    public Result {
      steps = List.copyOf(steps);
      kept = List.copyOf(kept);
    }
  }

  /** The next steps. */
  public static Result decide(MoveView view, Instant now) {
    return new MoveRound(view, now).run();
  }

  private Result run() {
    view.strays().stream()
        .sorted()
        .forEach(uid -> draft.steps.add(new MoveStep.Withdraw(uid, "its notice makes no sense")));
    boolean isUnderWay = new MovesUnderWay(view, now, draft).settle();
    settleGoal(isUnderWay);
    if (!isUnderWay) {
      new NextMove(view, now, draft).begin();
    }
    keepGoal();
    return new Result(draft.steps, draft.keptOnce(), draft.course);
  }

  /** Ends with a goal that is reached, or not reached in time. */
  private void settleGoal(boolean isUnderWay) {
    var over =
        draft
            .course
            .goal()
            .filter(
                goal ->
                    !view.waiting().contains(goal.wanted())
                        || (!isUnderWay && !goal.until().isAfter(now)));
    if (over.isPresent()) {
      draft.course = draft.course.withoutPlan();
    }
  }

  private void keepGoal() {
    draft
        .course
        .goal()
        .ifPresent(
            goal ->
                draft.kept.add(
                    new KeptPlace(Optional.empty(), Optional.of(goal.wanted()), goal.uuids())));
  }
}
