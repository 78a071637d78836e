package io.prescale.placement.moves;

import io.prescale.placement.cluster.Placement;
import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Settles the moves that have begun. For one round. */
final class MovesUnderWay {
  /** By how much the API server's clock may be behind. */
  private static final Duration SKEW = Duration.ofSeconds(5);

  /** Notices run out in whole seconds. */
  private static final Duration ROUNDING = Duration.ofSeconds(1);

  private final MoveView view;
  private final Instant now;
  private final Draft draft;
  private final List<Pursued> pursued = new ArrayList<>();
  private final Set<String> ended = new HashSet<>();

  MovesUnderWay(MoveView view, Instant now, Draft draft) {
    this.view = view;
    this.now = now;
    this.draft = draft;
  }

  /** Settles all; returns whether some are under way still. */
  boolean settle() {
    begun().forEach(this::settle);
    draft.course = draft.course.withPursued(pursued, ended);
    return !pursued.isEmpty();
  }

  /** What stands on pods, and what is known of those that are gone. */
  private List<Pursued> begun() {
    var all = new ArrayList<Pursued>();
    view.residents().values().stream()
        .filter(pod -> pod.notice().isPresent())
        .sorted(Comparator.comparing(Resident::uid))
        .forEach(
            pod -> {
              if (view.course().ended().contains(pod.uid())) {
                ended.add(pod.uid());
              } else {
                all.add(pursued(pod));
              }
            });
    var present = all.stream().map(Pursued::uid).toList();
    view.course().pursued().stream()
        .filter(move -> !present.contains(move.uid()) && !ended.contains(move.uid()))
        .filter(move -> !isWithoutNotice(move.uid()))
        .forEach(all::add);
    return all;
  }

  /** A pod that is there and has lost its notice stays. */
  private boolean isWithoutNotice(String uid) {
    var pod = view.residents().get(uid);
    return pod != null && pod.notice().isEmpty();
  }

  private Pursued pursued(Resident pod) {
    var from =
        view.cluster()
            .placements()
            .filter(place -> place.request().name().equals(pod.uid()))
            .findFirst()
            .map(Placement::uuids)
            .orElse(Set.of());
    return new Pursued(pod.uid(), pod.kin(), pod.notice().orElseThrow(), from, lastStaying(pod));
  }

  /** A pod may be leaving for ever, on a node that is gone. */
  private Instant lastStaying(Resident pod) {
    return view.course().pursued().stream()
        .filter(move -> pod.isLeaving() && move.uid().equals(pod.uid()))
        .map(Pursued::seen)
        .findFirst()
        .orElse(now);
  }

  private void settle(Pursued move) {
    var pod = Optional.ofNullable(view.residents().get(move.uid()));
    if (pod.isPresent() && !pod.get().isLeaving()) {
      settleStaying(pod.get(), move);
    } else {
      settleLeft(move, pod.isPresent());
    }
  }

  private void settleStaying(Resident pod, Pursued move) {
    var objection = objection(pod, move.notice());
    if (objection.isPresent()) {
      draft.steps.add(new MoveStep.Withdraw(pod.uid(), objection.get()));
      draft.course = draft.course.withoutPlan();
      return;
    }
    keep(move);
    if (!move.notice().at().isAfter(now)) {
      draft.steps.add(new MoveStep.Evict(pod.uid(), move.notice()));
    }
  }

  /** Why a pod that has notice is not evicted after all. */
  private Optional<String> objection(Resident pod, MoveNotice notice) {
    if (view.terms().mode() != Mode.ACT) {
      return Optional.of("moves are switched off");
    }
    if (view.refused().contains(pod.uid())) {
      return Optional.of("its eviction has been refused for long, as by a PodDisruptionBudget");
    }
    if (!draft.ground().mayMove(pod)) {
      return Optional.of("its rules do not permit it any more");
    }
    if (notice.at().isAfter(now.plus(pod.grace()).plus(ROUNDING))) {
      return Optional.of("its notice is longer than any that is given");
    }
    if (notice.reason() != Reason.SICK_CARD && !view.terms().isOpen()) {
      return Optional.of("the time for moves is over");
    }
    if (notice.wanted().isPresent() && !view.waiting().contains(notice.wanted().get())) {
      return Optional.of("the pod for which it was to make way waits no more");
    }
    if (notice.reason() == Reason.SICK_CARD
        && !draft.ground().placeOf(pod.uid()).map(draft.ground()::isOnSickCard).orElse(false)) {
      return Optional.of("its cards are well again");
    }
    return draft.ground().fits(pod, notice.node(), notice.uuids())
        ? Optional.empty()
        : Optional.of("its new place is no longer free");
  }

  private void settleLeft(Pursued move, boolean isThere) {
    var replacement =
        view.residents().values().stream()
            .filter(pod -> pod.kin().equals(move.kin()) && !pod.uid().equals(move.uid()))
            .filter(pod -> !pod.isLeaving())
            .filter(pod -> !pod.created().isBefore(move.notice().at().minus(SKEW)))
            .min(Comparator.comparing(Resident::created).thenComparing(Resident::uid));
    if (replacement.isPresent()) {
      boolean isAsBooked = isOn(replacement.get().uid(), move.notice());
      draft.steps.add(new MoveStep.Arrive(replacement.get().uid(), move, isAsBooked));
      end(move, isThere);
      if (!isAsBooked) {
        draft.course = draft.course.withoutPlan();
      }
    } else if (move.seen().plus(MoveRound.UNTIL_BOUND).isBefore(now)) {
      draft.steps.add(new MoveStep.GiveUp(move));
      end(move, isThere);
      draft.course = draft.course.withoutPlan();
    } else {
      keep(move);
    }
  }

  private void end(Pursued move, boolean isThere) {
    if (isThere) {
      ended.add(move.uid());
    }
    draft.course =
        draft.course.withPlan(
            draft.course.plan(),
            draft
                .course
                .goal()
                .map(goal -> goal.with(move.from(), now.plus(MoveRound.UNTIL_BOUND))));
  }

  private boolean isOn(String uid, MoveNotice notice) {
    return view.cluster()
        .find(notice.node())
        .flatMap(node -> node.placementOf(uid))
        .filter(place -> notice.uuids().containsAll(place.uuids()))
        .isPresent();
  }

  /** Keeps the new place for the replacement, and the old one for whom it is freed. */
  private void keep(Pursued move) {
    pursued.add(move);
    draft.course = draft.course.begun(move.uid());
    var notice = move.notice();
    draft.kept.add(new KeptPlace(Optional.of(move.kin()), Optional.empty(), notice.uuids()));
    if (notice.reason() != Reason.SICK_CARD) {
      draft.kept.add(new KeptPlace(Optional.empty(), notice.wanted(), move.from()));
    }
  }
}
