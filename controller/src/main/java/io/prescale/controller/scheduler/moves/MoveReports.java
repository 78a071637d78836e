package io.prescale.controller.scheduler.moves;

import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.moves.MoveNotice;
import io.prescale.placement.moves.MoveStep;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Events of pods that move, and of those for which they do. Not thread-safe. */
final class MoveReports {
  private final PodWriter writer;
  private final Function<String, Optional<MovablePod>> pods;

  /** What was last advised about pods that are there, by UID, so that it is said once. */
  private final Map<String, String> advised = new HashMap<>();

  /** Why pods stay on sick cards, by UID, as it was last said. */
  private final Map<String, String> staying = new HashMap<>();

  MoveReports(PodWriter writer, Function<String, Optional<MovablePod>> pods) {
    this.writer = writer;
    this.pods = pods;
  }

  void notified(MovablePod pod, MoveNotice notice, Instant now) {
    writer.event(
        pod,
        "MoveNotice",
        "Moves to node %s at %s, since %s; its replacement's cards are kept there."
            .formatted(
                notice.node(),
                PodWriter.written(notice.at()),
                why(notice.reason(), notice.wanted())),
        now);
    notice
        .wanted()
        .flatMap(pods)
        .ifPresent(
            wanted ->
                writer.event(
                    wanted,
                    "MovePending",
                    "Pod %s moves to make room for it.".formatted(pod.display()),
                    now));
  }

  private String why(Move.Reason reason, Optional<String> wanted) {
    return MoveRow.why(
        reason, wanted.map(uid -> pods.apply(uid).map(MovablePod::display).orElse(uid)));
  }

  void withdrawn(MovablePod pod, String why, Instant now) {
    // With the time, so that it is another event than that of an earlier notice.
    var when = pod.notice().map(it -> " at " + PodWriter.written(it.at())).orElse("");
    writer.event(pod, "MoveWithdrawn", "Does not move%s: %s.".formatted(when, why), now);
  }

  void evicted(MovablePod pod, MoveNotice notice, Instant now) {
    writer.event(pod, "Moved", "Evicted to move to node %s.".formatted(notice.node()), now);
  }

  void waits(MovablePod pod, String refusal, Instant now) {
    writer.event(pod, "MoveWaits", refusal, now);
  }

  void arrived(MovablePod pod, MoveStep.Arrive step, Instant now) {
    writer.event(
        pod,
        "MoveArrived",
        step.isAsBooked()
            ? "Has the cards that were kept for it."
            : "Has other cards than those that were kept for it on node %s."
                .formatted(step.move().notice().node()),
        now);
  }

  /** Says what would be done, once for each move. */
  void advise(List<MoveStep.Advise> advice, Instant now) {
    for (var each : advice) {
      for (var move : each.moves()) {
        var uid = move.from().request().name();
        var text =
            "Act would move it from node %s to node %s, since %s."
                .formatted(move.from().node(), move.to().node(), why(move.reason(), each.wanted()));
        pods.apply(uid).ifPresent(pod -> advise(pod, text, now));
      }
      each.wanted().flatMap(pods).ifPresent(pod -> advise(pod, wouldGet(each), now));
    }
    advised.keySet().removeIf(uid -> pods.apply(uid).isEmpty());
  }

  /** Says once of each pod why it stays on a sick card. */
  void staying(Map<String, String> reasons, Instant now) {
    staying.keySet().retainAll(reasons.keySet());
    reasons.forEach(
        (uid, why) -> {
          if (!why.equals(staying.put(uid, why))) {
            pods.apply(uid)
                .ifPresent(
                    pod ->
                        writer.event(
                            pod,
                            "MoveStays",
                            "Stays on a sick card, since %s.".formatted(why),
                            now));
          }
        });
  }

  private void advise(MovablePod pod, String text, Instant now) {
    if (!text.equals(advised.put(pod.uid(), text))) {
      writer.news(pod, "MoveAdvice", text, now);
    }
  }

  private static String wouldGet(MoveStep.Advise advice) {
    int moves = advice.moves().size();
    return "Act would make room for it by moving %d %s."
        .formatted(moves, moves == 1 ? "pod" : "pods");
  }
}
