package io.prescale.controller.plan.live;

import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.BookingReason;
import io.prescale.controller.api.v1alpha1.BookingStatus;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.ConditionType;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPAStatus;
import io.prescale.controller.api.v1alpha1.StatusCondition;
import io.prescale.controller.plan.NeedsAhead;
import io.prescale.controller.plan.ReplicaNeed;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a PredictiveHPA that asks for bookings is to have booked now.
 *
 * @param needs for which cards are to be kept; without any, what was kept is let go
 * @param reason why these, or none
 * @param message the same in a sentence
 */
record Wanted(List<ReplicaNeed> needs, BookingReason reason, String message) {
  /** Beyond these, the API server takes no booking. */
  private static final int MOST_REPLICAS = 10_000;

  static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  Wanted {
    needs = List.copyOf(needs);
  }

  private static Wanted nothing(BookingReason reason, String message) {
    return new Wanted(List.of(), reason, message);
  }

  /** Nothing, because the API server does not take it. */
  static Wanted refused(String message) {
    return nothing(BookingReason.Refused, message);
  }

  /**
   * Decides.
   *
   * @param isBookable whether the target is of a kind that is booked for, and asks for cards
   * @param said the needs that the booking has
   */
  static Wanted of(
      PredictiveHPA resource,
      boolean isBookable,
      ServiceForecasts.Known known,
      List<ReplicaNeed> said,
      Instant now) {
    if (resource.getSpec().mode() != Mode.Active) {
      return nothing(BookingReason.ShadowMode, "In Shadow mode nothing is booked.");
    }
    if (!isBookable) {
      return nothing(
          BookingReason.TargetNotBookable,
          "The target is not there, asks for no cards, or is no LeaderWorkerSet of at most 200 pods"
              + " a group, nor a Deployment, StatefulSet or ReplicaSet with matchLabels.");
    }
    if (!isTrusted(resource)) {
      return nothing(BookingReason.ForecastNotTrusted, whyNotTrusted(resource));
    }
    if (known.isOver()) {
      return nothing(
          BookingReason.ForecastTooOld,
          "There has been no forecast for four hours, so no cards are kept. "
              + known.problem().orElse(""));
    }
    if (known.forecast().isEmpty()) {
      return nothing(BookingReason.NoForecast, known.problem().orElse("No forecast yet."));
    }
    var forecast = known.forecast().get();
    return booked(
        NeedsAhead.of(forecast.demand(), ahead(resource), forecast.price(), said, now), now);
  }

  /** Whether it depends on a forecast what is booked. */
  static boolean mayBook(PredictiveHPA resource) {
    return resource.getSpec().mode() == Mode.Active && isTrusted(resource);
  }

  /** The breaker of every metric is closed, so that the HPA follows these forecasts, too. */
  private static boolean isTrusted(PredictiveHPA resource) {
    var metrics =
        Optional.ofNullable(resource.getStatus())
            .map(PredictiveHPAStatus::metrics)
            .orElse(List.of());
    return !metrics.isEmpty()
        && metrics.stream()
            .allMatch(it -> it.breaker() != null && it.breaker().state() == BreakerState.Closed);
  }

  private static String whyNotTrusted(PredictiveHPA resource) {
    return Optional.ofNullable(resource.getStatus()).stream()
        .flatMap(it -> it.conditions().stream())
        .filter(it -> it.type() == ConditionType.ForecastTrusted)
        .map(StatusCondition::message)
        .findFirst()
        .orElse("Nothing was decided yet.");
  }

  /** In whole minutes, so that a lead time measured anew changes nothing by seconds. */
  private static Duration ahead(PredictiveHPA resource) {
    return Duration.ofMinutes(Math.ceilDiv(PlanRound.ahead(resource).toSeconds(), 60));
  }

  private static Wanted booked(List<ReplicaNeed> needs, Instant now) {
    return highest(needs)
        .map(
            it ->
                new Wanted(
                    needs,
                    BookingReason.Booked,
                    "Cards for up to %s are wanted %s until %s UTC; that many are needed with a probability of %d %%."
                        .formatted(
                            replicas(it.replicas()),
                            it.from().isAfter(now) ? "from " + TIME.format(it.from()) : "now and",
                            TIME.format(it.until()),
                            it.percent())))
        .orElseGet(
            () ->
                nothing(
                    BookingReason.NothingNeeded, "The forecast needs no replicas in these hours."));
  }

  static String replicas(int count) {
    return count == 1 ? "1 replica" : count + " replicas";
  }

  private static Optional<ReplicaNeed> highest(List<ReplicaNeed> needs) {
    return needs.stream()
        .max(
            Comparator.comparingInt(ReplicaNeed::replicas)
                .thenComparing(Comparator.comparing(ReplicaNeed::from).reversed()));
  }

  /** The needs as a GpuBooking has them. */
  List<BookingNeed> written() {
    return needs.stream()
        .map(
            it ->
                new BookingNeed(
                    it.from(), it.until(), Math.min(MOST_REPLICAS, it.replicas()), it.percent()))
        .toList();
  }

  /** What the status of the PredictiveHPA says of it. */
  BookingStatus status() {
    var most = highest(needs);
    return new BookingStatus(
        reason,
        most.map(ReplicaNeed::replicas).orElse(null),
        most.map(ReplicaNeed::from).orElse(null),
        most.map(ReplicaNeed::percent).orElse(null),
        null,
        List.of(),
        message);
  }
}
