package io.prescale.controller.operator.status;

import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.BreakerState;
import io.prescale.controller.api.v1alpha1.BreakerStatus;
import io.prescale.controller.api.v1alpha1.CoverageStatus;
import io.prescale.controller.api.v1alpha1.ForecastPartsStatus;
import io.prescale.controller.api.v1alpha1.LeadTimeParts;
import io.prescale.controller.api.v1alpha1.LeadTimeSource;
import io.prescale.controller.api.v1alpha1.LeadTimeStatus;
import io.prescale.controller.api.v1alpha1.LeadingStatus;
import io.prescale.controller.api.v1alpha1.MissedBudgetStatus;
import io.prescale.controller.api.v1alpha1.PlanPoint;
import io.prescale.controller.api.v1alpha1.QuantilesStatus;
import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.autoscaling.ForecastSummary;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.autoscaling.MissedBudget;
import io.prescale.controller.autoscaling.ServedValue;
import io.prescale.controller.autoscaling.Trust;
import io.prescale.forecasting.online.ForecastParts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Parts of a tick's result in the terms of the status. */
final class StatusParts {
  private static final int MOST_PLANNED = 30;
  private static final int LONGEST_REASON = 256;

  private StatusParts() {}

  static QuantilesStatus quantiles(ForecastSummary forecast) {
    return new QuantilesStatus(
        Amount.textOrNull(forecast.p50()),
        Amount.textOrNull(forecast.p90()),
        Amount.textOrNull(forecast.p95()),
        Amount.textOrNull(forecast.p99()));
  }

  static List<PlanPoint> plan(ServedValue served) {
    return served.plan().stream()
        .limit(MOST_PLANNED)
        .map(planned -> new PlanPoint(planned.at(), Amount.text(planned.value())))
        .toList();
  }

  static @Nullable CoverageStatus coverage(Trust trust) {
    return trust.samples() == 0
        ? null
        : new CoverageStatus(
            roundedOrNull(trust.coverage90()),
            roundedOrNull(trust.coverage95()),
            (long) trust.samples());
  }

  static BreakerStatus breaker(Trust trust) {
    var state =
        switch (trust.state()) {
          case CLOSED -> BreakerState.Closed;
          case OPEN -> BreakerState.Open;
          case LEARNING -> BreakerState.Learning;
        };
    return new BreakerStatus(state, Shortened.to(LONGEST_REASON, trust.message()));
  }

  static ForecastPartsStatus parts(ForecastParts parts) {
    return new ForecastPartsStatus(
        Amount.textOrNull(parts.level()),
        Amount.textOrNull(parts.season()),
        Amount.textOrNull(parts.event()),
        Amount.textOrNull(parts.correction()),
        Amount.textOrNull(parts.calibration()),
        parts.relatives() == 0 ? null : (Integer) parts.relatives(),
        parts.leading().stream()
            .map(it -> new LeadingStatus(it.series(), it.lag().toSeconds()))
            .toList());
  }

  static LeadTimeStatus lead(LeadTime lead) {
    var source =
        switch (lead.source()) {
          case MEASURED -> LeadTimeSource.Measured;
          case DEFAULT -> LeadTimeSource.Default;
          case DECLARED -> LeadTimeSource.Declared;
        };
    return new LeadTimeStatus(
        lead.total().toSeconds(),
        source,
        lead.samples(),
        lead.observedAt().orElse(null),
        source == LeadTimeSource.Declared ? null : parts(lead.parts()));
  }

  private static LeadTimeParts parts(LeadTime.Parts parts) {
    return new LeadTimeParts(
        seconds(parts.decision()),
        seconds(parts.schedule()),
        seconds(parts.pull()),
        seconds(parts.ready()),
        seconds(parts.hpa()),
        seconds(parts.scrape()));
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  static MissedBudgetStatus missedBudget(MissedBudget budget) {
    return new MissedBudgetStatus(
        budget.budget(),
        Math.rint(budget.shortShare() * 1e5) / 1e5,
        roundedOrNull(budget.timesReplicas()));
  }

  static @Nullable Double roundedOrNull(OptionalDouble value) {
    return value.isPresent() ? (Double) rounded(value.getAsDouble()) : null;
  }

  /** Three digits are as exact as a skill or a coverage is. */
  static double rounded(double value) {
    return Double.isFinite(value) ? Math.rint(value * 1000) / 1000 : 0;
  }
}
