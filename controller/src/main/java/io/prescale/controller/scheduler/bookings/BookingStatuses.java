package io.prescale.controller.scheduler.bookings;

import io.prescale.controller.api.v1alpha1.BookingCondition;
import io.prescale.controller.api.v1alpha1.BookingCondition.Reason;
import io.prescale.controller.api.v1alpha1.BookingRoom;
import io.prescale.controller.api.v1alpha1.ConditionStatus;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.api.v1alpha1.GpuBookingStatus;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.controller.scheduler.warm.WarmReport;
import io.prescale.placement.notice.Expectation.Outcome;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/** What the status of a GpuBooking should say. */
final class BookingStatuses {
  /** As many as a booking has needs. */
  private static final int MOST_TIMES = 100;

  private BookingStatuses() {}

  /**
   * The status of a booking.
   *
   * @param images what is said of images, by the keys of bookings; empty where none are pulled
   *     ahead. Of a booking that it lacks, what its status says stays.
   */
  static GpuBookingStatus of(
      BookingSpecs.Read read,
      BookingState state,
      Optional<Map<String, WarmReport>> images,
      Instant now) {
    var reason = reason(read, state);
    var status =
        switch (reason) {
          case NothingExpected, Booked, NotYet, PodsAsked -> ConditionStatus.True;
          case NoRoom, NotOwed, NotWorth, NotBound, InvalidSpec -> ConditionStatus.False;
          case ImagesReady, Pulling, PullFailed, PullRefused ->
              throw new IllegalStateException(reason + " is said of images, not of cards");
        };
    var conditions = new ArrayList<BookingCondition>();
    conditions.add(
        condition(
            read, BookingCondition.Type.Ready, status, reason, message(reason, read, state), now));
    var known = images.flatMap(_ -> Optional.ofNullable(read.booking().getStatus()));
    var warm = images.flatMap(it -> Optional.ofNullable(it.get(read.key())));
    warm.map(it -> condition(read, it, now))
        .or(() -> known.flatMap(it -> condition(it, BookingCondition.Type.Warm)))
        .ifPresent(conditions::add);
    return new GpuBookingStatus(
        read.booking().getMetadata().getGeneration(),
        state.expected(),
        state.of(Outcome.BOOKED),
        state.of(Outcome.ASKED),
        state.of(Outcome.NO_ROOM),
        state.missingFrom().orElse(null),
        state.room().stream()
            .limit(MOST_TIMES)
            .map(it -> new BookingRoom(it.from(), it.replicas(), it.missing()))
            .toList(),
        warm.map(WarmReport::images).or(() -> known.map(GpuBookingStatus::images)).orElse(null),
        conditions);
  }

  private static BookingCondition condition(
      BookingSpecs.Read read, WarmReport report, Instant now) {
    return condition(
        read,
        BookingCondition.Type.Warm,
        report.isFine() ? ConditionStatus.True : ConditionStatus.False,
        report.reason(),
        report.message(),
        now);
  }

  private static BookingCondition condition(
      BookingSpecs.Read read,
      BookingCondition.Type type,
      ConditionStatus status,
      Reason reason,
      String message,
      Instant now) {
    return new BookingCondition(
        type,
        status,
        read.booking().getMetadata().getGeneration(),
        lastTransition(read.booking(), type, status, reason)
            .orElse(now.truncatedTo(ChronoUnit.SECONDS)),
        reason,
        message);
  }

  private static int later(BookingState state) {
    return state.of(Outcome.FREE) + state.of(Outcome.NOT_YET);
  }

  /** What is wrong comes first, then what is under way. */
  private static Reason reason(BookingSpecs.Read read, BookingState state) {
    if (read.terms().isEmpty()) {
      return Reason.InvalidSpec;
    }
    if (state.of(Outcome.NO_ROOM) > 0) {
      return Reason.NoRoom;
    }
    if (state.of(Outcome.NOT_OWED) > 0) {
      return Reason.NotOwed;
    }
    if (state.of(Outcome.NOT_BOUND) > 0) {
      return Reason.NotBound;
    }
    if (state.of(Outcome.ASKED) > 0) {
      return Reason.PodsAsked;
    }
    if (later(state) > 0) {
      return Reason.NotYet;
    }
    if (state.of(Outcome.BOOKED) > 0) {
      return Reason.Booked;
    }
    return state.of(Outcome.NOT_WORTH) > 0 ? Reason.NotWorth : Reason.NothingExpected;
  }

  private static String message(Reason reason, BookingSpecs.Read read, BookingState state) {
    return switch (reason) {
      case NothingExpected ->
          "Nothing is needed within the hour, or all that is needed has its cards.";
      case Booked -> "Free cards are kept for %d expected.".formatted(state.of(Outcome.BOOKED));
      case NotYet ->
          "%d of %d expected come later; until then all may use their cards."
              .formatted(later(state), state.expected());
      case PodsAsked ->
          "For %d of %d expected, pods on borrowed cards give them back."
              .formatted(state.of(Outcome.ASKED), state.expected());
      case NoRoom ->
          ("For %d of %d expected there is no room, and no pod that may be asked to leave; add"
                  + " nodes, or let queues give back (spec.reclaim).")
              .formatted(state.of(Outcome.NO_ROOM), state.expected());
      case NotOwed ->
          "For %d of %d expected the queue is not owed cards; raise its guarantee or limit."
              .formatted(state.of(Outcome.NOT_OWED), state.expected());
      case NotWorth ->
          "For %d of %d expected, keeping cards would cost more than the shortage that is likely."
              .formatted(state.of(Outcome.NOT_WORTH), state.expected());
      case NotBound ->
          ("%d of %d expected wait though cards were kept for them; see their events for what"
                  + " kube-scheduler lacks. Their cards are given out again.")
              .formatted(state.of(Outcome.NOT_BOUND), state.expected());
      case InvalidSpec -> "Nothing is kept: %s.".formatted(read.fault());
      case ImagesReady, Pulling, PullFailed, PullRefused ->
          throw new IllegalArgumentException(reason + " is said of images only");
    };
  }

  /** Nodes are asked for only while there is no room, so that this is a transition of its own. */
  private static Optional<Instant> lastTransition(
      GpuBooking booking, BookingCondition.Type type, ConditionStatus status, Reason reason) {
    return Optional.ofNullable(booking.getStatus())
        .flatMap(known -> condition(known, type))
        .filter(known -> known.status() == status)
        .filter(known -> (known.reason() == Reason.NoRoom) == (reason == Reason.NoRoom))
        .map(BookingCondition::lastTransitionTime);
  }

  private static Optional<BookingCondition> condition(
      GpuBookingStatus status, BookingCondition.Type type) {
    return status.conditions().stream().filter(it -> it.type() == type).findFirst();
  }
}
