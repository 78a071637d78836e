package io.prescale.controller.scheduler.moves;

import io.prescale.controller.scheduler.moves.MoveRow.State;
import io.prescale.placement.consolidation.Move;
import io.prescale.placement.moves.MoveRound;
import io.prescale.placement.moves.MoveStep;
import io.prescale.placement.moves.MoveView;
import io.prescale.placement.moves.Pursued;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The moves that the page shows: those under way, planned or advised, and the last ones made. */
public final class MoveRows {
  private static final int MOST_MADE = 20;

  private final Function<String, Optional<String>> names;
  private final Deque<MoveRow> made = new ArrayDeque<>();

  /** Where pods were that leave, and their names. */
  private final Map<String, Origin> origins = new HashMap<>();

  private List<MoveRow> advised = List.of();

  private record Origin(String pod, String node) {}

  /**
   * No rows yet.
   *
   * @param names of pods that are there, by UID
   */
  public MoveRows(Function<String, Optional<String>> names) {
    this.names = names;
  }

  /** The rows after a round. */
  public List<MoveRow> after(MoveView view, MoveRound.Result result, Instant now) {
    var rows = new ArrayList<MoveRow>();
    for (var move : result.course().pursued()) {
      boolean isThere = isThere(view, move.uid());
      rows.add(row(view, move, isThere ? State.NOTICED : State.LEAVING, move.notice().at()));
    }
    var goal = result.course().goal().map(it -> it.wanted());
    result.course().plan().forEach(move -> rows.add(row(move, goal, now)));
    for (var step : result.steps()) {
      if (step instanceof MoveStep.Arrive(_, var move, var isAsBooked)) {
        over(row(view, move, isAsBooked ? State.MADE : State.MISSED, now));
      } else if (step instanceof MoveStep.GiveUp(var move)) {
        over(row(view, move, State.MISSED, now));
      }
    }
    rows.addAll(advised(view, result.steps(), now));
    rows.addAll(made);
    origins
        .keySet()
        .removeIf(uid -> result.course().pursued().stream().noneMatch(it -> it.uid().equals(uid)));
    return List.copyOf(rows);
  }

  /** Advice is not repeated in each round; it is shown until its pods are gone or may not move. */
  private List<MoveRow> advised(MoveView view, List<MoveStep> steps, Instant now) {
    var rows = new ArrayList<MoveRow>();
    for (var step : steps) {
      if (step instanceof MoveStep.Advise(var moves, var wanted)) {
        moves.forEach(move -> rows.add(row(move, wanted, now)));
      }
    }
    if (!rows.isEmpty() || view.terms().mode() != Mode.ADVISE) {
      advised = List.copyOf(rows);
    }
    return advised;
  }

  private void over(MoveRow row) {
    made.addFirst(row);
    if (made.size() > MOST_MADE) {
      made.removeLast();
    }
  }

  private static boolean isThere(MoveView view, String uid) {
    var pod = view.residents().get(uid);
    return pod != null && !pod.isLeaving();
  }

  private MoveRow row(Move move, Optional<String> wanted, Instant now) {
    var uid = move.from().request().name();
    return new MoveRow(
        name(uid),
        move.from().node(),
        move.to().node(),
        MoveRow.why(move.reason(), wanted.map(this::name)),
        State.PLANNED,
        now);
  }

  private MoveRow row(MoveView view, Pursued move, State state, Instant at) {
    names
        .apply(move.uid())
        .ifPresent(
            name ->
                nodeOf(view, move.uid())
                    .ifPresent(node -> origins.put(move.uid(), new Origin(name, node))));
    var origin = origins.getOrDefault(move.uid(), new Origin(move.uid(), ""));
    return new MoveRow(
        origin.pod(),
        origin.node(),
        move.notice().node(),
        MoveRow.why(move.notice().reason(), move.notice().wanted().map(this::name)),
        state,
        at);
  }

  private String name(String uid) {
    return names.apply(uid).orElse(uid);
  }

  private static Optional<String> nodeOf(MoveView view, String uid) {
    return view.cluster()
        .placements()
        .filter(place -> place.request().name().equals(uid))
        .map(place -> place.node())
        .findFirst();
  }
}
