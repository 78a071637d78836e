package io.prescale.controller.autoscaling;

import io.prescale.controller.autoscaling.ServedValue.Planned;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** One metric's part of a {@link ScalingCycle}. Not thread-safe. */
final class MetricCycle {
  /** How long a value is fresh: one tick may fail before its value counts as old. */
  private static final int FRESH_STEPS = 2;

  private final TargetSettings settings;
  private final MetricSettings metric;
  private final Duration step;
  private final Learning learning;
  private StepIntake intake;
  private final ServedValueChoice choice;
  private final ScheduledChoice scheduled;
  private final LostSeries lost;
  private LiveForecaster live;
  private Optional<HandedOver> earlier = Optional.empty();
  private Optional<HandedOver> toTakeOver = Optional.empty();
  private boolean observed;

  /** Whether a step was completed since the last observation. */
  private boolean stepped;

  private @Nullable ServedValue served;
  private @Nullable ScalingDecision decision;

  MetricCycle(
      TargetSettings settings,
      MetricSettings metric,
      Duration lead,
      Instant start,
      Learning learning) {
    this.settings = settings;
    this.metric = metric;
    this.step = settings.forecast().step();
    this.learning = learning;
    this.intake = intake(start);
    var risk = settings.risk();
    var replicas =
        new ReplicaChoice(metric.capacityPerReplica(), settings.hpa().deadBand(), risk.startCost());
    this.choice =
        new ServedValueChoice(
            replicas,
            risk,
            step,
            settings.hpa().scaleDown().stabilizationWindow(),
            settings.utilization(),
            IdleRule.of(settings, metric),
            (from, to) -> live.highest(from, to));
    this.scheduled = new ScheduledChoice(metric.capacityPerReplica(), settings.hpa().deadBand());
    this.lost = new LostSeries(step);
    this.live = forecaster(intake.next(), lead);
  }

  private LiveForecaster forecaster(Instant start, Duration lead) {
    double level = settings.risk().operatingLevel();
    return new LiveForecaster(
        settings.forecast(), lead, level, start, learning, learning.leading(metric.name()));
  }

  private StepIntake intake(Instant start) {
    return new StepIntake(step, start, settings.forecast().steps());
  }

  MetricSettings settings() {
    return metric;
  }

  Instant observedUntil() {
    return intake.next();
  }

  /** What is no newer than this process' own value is that value. */
  void takeOver(HandedOver before) {
    var own = served;
    if (own == null || before.until().isAfter(own.computedAt().plus(own.timeToLive()))) {
      earlier = Optional.of(before);
      toTakeOver = earlier.filter(HandedOver::maybeAhead);
    }
  }

  void goOnFrom(MetricCycle before) {
    choice.goOnFrom(before.choice);
  }

  void learn(TimeSeries history) {
    if (!history.step().equals(step)
        || Math.floorMod(history.start().toEpochMilli(), step.toMillis()) != 0) {
      throw new IllegalArgumentException(
          "the history of %s must have steps of %s that begin at multiples of it: %s"
              .formatted(metric.name(), step, history));
    }
    double[] demand = StepIntake.demandOf(history).toArray();
    for (int i = 0; i < demand.length; i++) {
      demand[i] = lost.isDoubted(history.time(i).plus(step)) ? Double.NaN : demand[i];
    }
    if (!observed && history.start().isAfter(live.next())) {
      live = forecaster(history.start(), live.lead());
    }
    live.learn(TimeSeries.of(history.start(), step, demand));
    intake.skipTo(live.next());
    choice.demandSeen(demand);
  }

  Optional<byte[]> save() {
    return live.saved(choice.shortShare()).map(SavedMetric::toBytes);
  }

  /** Goes on from what was saved; gives the reason where that is impossible. */
  Optional<String> resume(byte[] bytes, Instant now) {
    var level = settings.risk().operatingLevel();
    return switch (SavedMetric.read(bytes, settings.forecast(), level, now)) {
      case SavedMetric.Read.Refused(var reason) -> Optional.of(reason);
      case SavedMetric.Read.Ok(var saved) -> {
        var leading = learning.leading(metric.name());
        live = new LiveForecaster(settings.forecast(), saved, learning, leading);
        intake = intake(live.next());
        lost.resume(live.history());
        choice.resume(live.history().toArray(), saved.shortShare());
        yield Optional.empty();
      }
    };
  }

  TimeSeries ordinary() {
    return live.ordinary();
  }

  Optional<Instant> learnedAt() {
    return live.learnedAt();
  }

  /** Adopts what was fitted meanwhile, and settles past forecasts by the steps that are over. */
  StepOutcome observe(Instant now, Reading reading, ReplicaState state) {
    live.adopt();
    live.follow(state.lead().total());
    return switch (reading) {
      case Reading.Missing missing -> new StepOutcome(metric.name(), false, Optional.of(missing));
      case Reading.Observed read -> {
        takeIn(lost.believed(read, now, live::leastPlausible), now);
        boolean newStep = stepped;
        stepped = false;
        if (newStep) {
          live.newest().ifPresent(demand -> settle(demand, state, now));
        }
        var missing =
            lost.doubt(metric.name(), now)
                .or(
                    () ->
                        newStep
                            ? Optional.empty()
                            : intake.noDemand(metric.name(), read.samples(), now));
        yield new StepOutcome(metric.name(), newStep, missing);
      }
    };
  }

  /** What is too old to be doubted is taken in first, so that forecasts from it judge the rest. */
  Optional<Instant> seriesNeededSince(Reading.Observed read, Instant now) {
    takeIn(lost.beyondDoubt(read.samples(), now), now);
    return lost.neededSince(read.samples(), now, live::leastPlausible);
  }

  private void takeIn(List<Sample> samples, Instant now) {
    var steps = intake.accept(samples, now);
    boolean isNew = steps.values.length > 0;
    if (isNew && !steps.start.equals(live.next())) { // longer unseen than is remembered
      live = forecaster(steps.start, live.lead());
    }
    for (double value : steps.values) {
      live.observe(value);
    }
    stepped |= isNew;
    observed |= isNew;
  }

  /** Shortages count only where an HPA acts on the value: others say nothing of its price. */
  private void settle(double demand, ReplicaState state, Instant now) {
    if (state.isScaledBy(metric.name())) {
      var bounds = settings.schedules().boundsAt(now, state.lead().withoutRamp());
      int most = bounds.most(settings.hpa().maxReplicas());
      choice.stepPassed(demand, state.ready(), most, live.next().minus(step));
    } else {
      choice.demandSeen(demand);
    }
  }

  /** The forecast from the newest completed step, and whether it is trusted. */
  MetricForecast forecast(StepOutcome outcome) {
    return new MetricForecast(outcome, live.forecast(), live.breaker().trust());
  }

  /** Decides on a new value if a step was completed; else the last one stays. */
  MetricResult decide(Instant now, MetricForecast forecast, ReplicaState state) {
    var lead = state.lead().withoutRamp();
    var bounds = settings.schedules().boundsAt(now, lead);
    if (forecast.outcome().newStep()) {
      var chosen = decideAnew(now, forecast, state.current());
      var plan = plan(now, chosen, forecast);
      var kept = scheduled.within(bounds, chosen, forecast.forecast(), state.current());
      serve(now, lead, kept, chosen.dueNow(now, plan));
    } else {
      var standing = standing(now);
      var kept = scheduled.within(bounds, standing, forecast.forecast(), state.current());
      if (!kept.equals(standing)) {
        var plan = served == null ? earlier.map(e -> e.after(now)) : Optional.of(served.plan());
        serve(now, lead, kept, standing.dueNow(now, plan.orElse(List.of())));
      }
    }
    return new MetricResult(
        metric.name(),
        observed ? live.newest() : OptionalDouble.empty(),
        Optional.ofNullable(served),
        Optional.ofNullable(decision),
        forecast.forecast().map(ForecastSummary::of),
        forecast.trust(),
        live.fittedAt(),
        live.isRehearsing(),
        choice.missedBudget(),
        forecast.outcome().missing());
  }

  private ScalingDecision decideAnew(Instant now, MetricForecast forecast, int current) {
    var window = settings.forecast().window();
    toTakeOver
        .filter(before -> before.standsAt(now))
        .ifPresent(before -> choice.takeOver(before.value(), now, live.lead(), window));
    toTakeOver = Optional.empty();
    return orHandedOver(choice.decide(live.outlook(), current), forecast, now);
  }

  /** What the last value, or the earlier leader's, comes to by now, if it still stands. */
  private ScalingDecision standing(Instant now) {
    var last = served;
    var made = decision;
    if (last == null || made == null) {
      return earlier
          .filter(it -> it.standsAt(now))
          .map(it -> choice.handedOver(it.at(now)))
          .orElseGet(ScalingDecision::nothingKnown);
    }
    return last.isOver(now)
        ? ScalingDecision.nothingKnown()
        : made.standing(last.at(now), metric.capacityPerReplica());
  }

  private List<Planned> plan(Instant now, ScalingDecision chosen, MetricForecast known) {
    if (chosen.reason() == ScalingDecision.Reason.HANDED_OVER) {
      return earlier.orElseThrow().after(now);
    }
    if (chosen.servedValue().isEmpty() || known.trust().state() != Trust.State.CLOSED) {
      return List.of();
    }
    var band = settings.hpa().deadBand();
    var ahead = new ServingPlan(live, settings.forecast().calendar(), metric, band, step);
    boolean isAhead = chosen.reason() == ScalingDecision.Reason.STARTED_AHEAD;
    double base = isAhead ? choice.forItsWindow() : chosen.value();
    return known.forecast().map(ForecastSummary::of).stream()
        .flatMap(it -> ahead.rises(it, base, now, settings.timeToLive()).stream())
        .filter(it -> it.value() > chosen.value())
        .toList();
  }

  private void serve(Instant now, Duration lead, ScalingDecision chosen, List<Planned> plan) {
    double value = chosen.value();
    var freshFor = step.multipliedBy(FRESH_STEPS);
    var due = scheduled.plan(settings.schedules(), plan, value, now, lead, settings.timeToLive());
    decision = chosen;
    served =
        new ServedValue(
            value,
            Math.min(live.newest().orElse(0), value),
            now,
            chosen.reason() == ScalingDecision.Reason.IDLE
                ? ServingPlan.awake(due, now.plus(freshFor), metric.capacityPerReplica())
                : due,
            freshFor,
            settings.timeToLive());
  }

  /** The value of the leader before, where it is higher and this one does not know as much yet. */
  private ScalingDecision orHandedOver(ScalingDecision chosen, MetricForecast own, Instant now) {
    earlier = earlier.filter(it -> it.knowsMoreThan(own) && it.isFloorAt(now));
    return earlier
        .filter(it -> it.standsAt(now) || chosen.servedValue().isPresent())
        .map(it -> choice.handedOver(it.at(now)))
        .filter(it -> it.servedValue().getAsDouble() > chosen.servedValue().orElse(0))
        .orElse(chosen);
  }
}
