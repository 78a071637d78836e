package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.prescale.controller.api.v1alpha1.Amount;
import io.prescale.controller.api.v1alpha1.EventSpec;
import io.prescale.controller.api.v1alpha1.ExcludedWindowSpec;
import io.prescale.controller.api.v1alpha1.ForecastModel;
import io.prescale.controller.api.v1alpha1.ForecastSpec;
import io.prescale.controller.api.v1alpha1.HolidaySpec;
import io.prescale.controller.api.v1alpha1.LeadingMetric;
import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.PredictiveHPASpec;
import io.prescale.controller.api.v1alpha1.RiskSpec;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.api.v1alpha1.ScaleThrough;
import io.prescale.controller.autoscaling.ForecastSettings;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.autoscaling.IdleRule;
import io.prescale.controller.autoscaling.MetricSettings;
import io.prescale.controller.autoscaling.Risk;
import io.prescale.controller.autoscaling.StartCost;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.operator.hpa.HpaFeatures;
import io.prescale.controller.operator.hpa.HpaWish;
import io.prescale.controller.operator.hpa.HpaWish.Keeper;
import io.prescale.controller.schedules.Schedules;
import io.prescale.forecasting.Event;
import io.prescale.forecasting.EventCalendar;
import io.prescale.forecasting.ExcludedWindow;
import io.prescale.forecasting.online.PeakMember;
import io.prescale.forecasting.online.PeakSettings;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Translates a PredictiveHPA's spec into the terms of the control loop and of the HPA. */
public final class SpecReader {
  private static final double DEFAULT_BUDGET = 0.005;
  private static final int WINDOW_STEPS = 5;
  private static final int REFIT_STEPS = 240;
  private static final Duration LONGEST_WINDOW = Duration.ofDays(1);
  private static final Duration LONGEST_REFIT = Duration.ofDays(7);
  private static final Duration SHORTEST_MEMORY = Duration.ofHours(6);
  private static final long SEED = 1;

  private final HpaFeatures features;

  /** A field with an invalid value; the sentence names the field. */
  static final class InvalidFieldException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    InvalidFieldException(String sentence) {
      super(sentence);
    }

    InvalidFieldException(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  public SpecReader(HpaFeatures features) {
    this.features = features;
  }

  /**
   * Reads how to forecast and decide.
   *
   * @throws IllegalArgumentException when the spec is invalid although the API server accepted it
   */
  public TargetSettings settings(PredictiveHPASpec spec) {
    requireTimeToLive(spec);
    requireHistory(spec.forecast());
    return new TargetSettings(
        spec.forecastMetrics().stream().map(SpecReader::metric).toList(),
        BehaviorRules.ours(spec.behavior(), features, spec.minReplicas(), spec.maxReplicas()),
        risk(spec.risk()),
        forecast(spec.forecast()),
        spec.fallback().ttlLength(),
        spec.fallback().utilizationShare(),
        spec.minReplicas() == 0
            ? OptionalDouble.of(riskAtZero(spec.risk()))
            : OptionalDouble.empty(),
        schedules(spec));
  }

  /** The schedules of a spec, without the rest. */
  public static Schedules schedules(PredictiveHPASpec spec) {
    return ScheduleReader.schedules(spec, zone(spec.forecast()));
  }

  /**
   * The rules of an HPA that Prescale only reads, as its author wrote them. KEDA's own has one
   * replica at least, and KEDA itself goes between none and one.
   */
  HpaRules rules(PredictiveHPASpec spec, HorizontalPodAutoscalerSpec hpa) {
    int written = Objects.requireNonNullElse(hpa.getMinReplicas(), 1);
    boolean kedaMayIdle = spec.scaleThrough() == ScaleThrough.KEDA && spec.minReplicas() == 0;
    int least = kedaMayIdle && written == 1 ? 0 : written;
    return BehaviorRules.written(hpa.getBehavior(), features, least, hpa.getMaxReplicas());
  }

  /** Those of an HPA that Prescale has adopted: its behavior stays where the spec has none. */
  HpaRules rulesOfAdopted(PredictiveHPASpec spec, HorizontalPodAutoscalerSpec hpa) {
    return BehaviorRules.ours(hpa.getBehavior(), features, spec.minReplicas(), spec.maxReplicas());
  }

  private static void requireTimeToLive(PredictiveHPASpec spec) {
    var ttl = spec.fallback().ttlLength();
    var step = spec.forecast().stepLength();
    if (!TargetSettings.isTimeToLive(ttl, step)) {
      throw new InvalidFieldException(
          "spec.fallback.ttl is %d s; write %d s (two steps) to 24h"
              .formatted(ttl.toSeconds(), 2 * step.toSeconds()));
    }
  }

  private static void requireHistory(ForecastSpec spec) {
    var longest = spec.stepLength().multipliedBy(ForecastSettings.MOST_STEPS);
    if (spec.historyLength().compareTo(longest) > 0) {
      throw new InvalidFieldException(
          "spec.forecast.history is %s; write %dm or less, which is %d steps of %s, or a longer step"
              .formatted(
                  spec.history(), longest.toMinutes(), ForecastSettings.MOST_STEPS, spec.step()));
    }
  }

  private static ZoneId zone(ForecastSpec spec) {
    try {
      return spec.zone();
    } catch (DateTimeException e) {
      throw new InvalidFieldException(
          "spec.forecast.timeZone is \"%s\", which is no time zone; write one such as Europe/Berlin"
              .formatted(spec.timeZone()),
          e);
    }
  }

  /** What the PredictiveHPA wants of an HPA, unless it is being deleted. */
  static HpaWish wish(PredictiveHPA resource) {
    var spec = resource.getSpec();
    return new HpaWish(
        resource.getMetadata().getNamespace(),
        resource.getMetadata().getName(),
        owner(resource),
        spec.mode() == Mode.Active,
        keeper(spec.scaleThrough()),
        Optional.ofNullable(spec.adopt()),
        target(spec.scaleTargetRef()),
        spec.minReplicas(),
        spec.maxReplicas(),
        spec.forecastMetrics().stream()
            .map(metric -> new HpaWish.External(metric.name(), metric.averageValue()))
            .toList(),
        spec.nativeMetrics(),
        Optional.ofNullable(spec.behavior()));
  }

  private static Keeper keeper(ScaleThrough through) {
    return switch (through) {
      case PrescaleHPA -> Keeper.PRESCALE;
      case ExistingHPA -> Keeper.USER;
      case KEDA -> Keeper.KEDA;
    };
  }

  static CrossVersionObjectReference target(ScaleTargetRef target) {
    return new CrossVersionObjectReference(target.apiVersion(), target.kind(), target.name());
  }

  private static OwnerReference owner(PredictiveHPA resource) {
    return new OwnerReferenceBuilder()
        .withApiVersion(resource.getApiVersion())
        .withKind(resource.getKind())
        .withName(resource.getMetadata().getName())
        .withUid(resource.getMetadata().getUid())
        .withController(true)
        .withBlockOwnerDeletion(true)
        .build();
  }

  private static MetricSettings metric(MetricEntry metric) {
    var target = metric.averageValue().toString();
    double capacity = Amount.value(target).orElse(0);
    if (!(capacity > 0)) {
      throw new InvalidFieldException(
          "spec.metrics: target.averageValue of %s is \"%s\"; write a quantity above 0, such as 40"
              .formatted(metric.name(), target));
    }
    var leading = metric.leading().stream().map(LeadingMetric::name).toList();
    return new MetricSettings(metric.name(), capacity, leading);
  }

  static Risk risk(@Nullable RiskSpec risk) {
    return risk == null || risk.shortageCost() == null
        ? new Risk.Budget(budget(risk), costLimit(risk), startCost(risk))
        : new Risk.ShortageCost(risk.shortageCost(), startCost(risk));
  }

  private static StartCost startCost(@Nullable RiskSpec risk) {
    return risk == null || risk.startCost() == null
        ? StartCost.NONE
        : new StartCost(risk.startCost());
  }

  private static int costLimit(@Nullable RiskSpec risk) {
    return risk == null || risk.costLimit() == null
        ? Risk.Budget.USUAL_COST_LIMIT
        : risk.costLimit();
  }

  /** Share of the time that capacity may fall short; the default where a price is written. */
  public static double budget(@Nullable RiskSpec risk) {
    return Optional.ofNullable(risk).flatMap(RiskSpec::budgetShare).orElse(DEFAULT_BUDGET);
  }

  /** Accepted probability that demand comes while there is no replica. */
  public static double riskAtZero(@Nullable RiskSpec risk) {
    return Optional.ofNullable(risk).flatMap(RiskSpec::atZeroShare).orElse(IdleRule.USUAL_RISK);
  }

  /** The window and the time between refits have as many steps as at a step of one minute. */
  private static ForecastSettings forecast(ForecastSpec spec) {
    var step = spec.stepLength();
    return new ForecastSettings(
        step,
        window(spec),
        longer(spec.historyLength(), SHORTEST_MEMORY),
        shorter(step.multipliedBy(REFIT_STEPS), LONGEST_REFIT),
        zone(spec),
        calendar(spec),
        SEED,
        members(spec.models()));
  }

  /** How long the window is whose highest demand is forecast. */
  public static Duration window(ForecastSpec spec) {
    return shorter(spec.stepLength().multipliedBy(WINDOW_STEPS), LONGEST_WINDOW);
  }

  private static Set<PeakMember> members(List<ForecastModel> models) {
    var members = EnumSet.noneOf(PeakMember.class);
    for (var model : models) {
      switch (model) {
        case Auto -> members.addAll(PeakSettings.EVERY_MEMBER);
        case Boosting -> members.add(PeakMember.BOOSTING);
        case SeasonalNaive -> members.add(PeakMember.SEASONAL_NAIVE);
        case RecentPeak -> members.add(PeakMember.RECENT_PEAK);
      }
    }
    return members;
  }

  private static EventCalendar calendar(ForecastSpec spec) {
    return new EventCalendar(
        spec.events().stream().map(SpecReader::event).toList(),
        spec.excludedWindows().stream().map(SpecReader::window).toList(),
        spec.holidays().stream().map(HolidaySpec::localDate).collect(Collectors.toSet()));
  }

  private static Event event(EventSpec event) {
    var factor = event.factor();
    return new Event(
        event.name(),
        event.start(),
        event.end(),
        factor == null ? OptionalDouble.empty() : OptionalDouble.of(factor));
  }

  private static ExcludedWindow window(ExcludedWindowSpec window) {
    return new ExcludedWindow(window.reason(), window.start(), window.end());
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }
}
