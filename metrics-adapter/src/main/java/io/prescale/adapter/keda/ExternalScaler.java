package io.prescale.adapter.keda;

import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricKey;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.keda.Reply.Reason;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Answers KEDA from the read model of the external metrics API: the same values, fresh or
 * last-known-good, at the same moment in every replica. What is unknown is refused, never 0 and
 * never inactive. Thread-safe.
 */
public final class ExternalScaler {
  private final MetricReadModel model;
  private final DeclaredMetrics declared;
  private final Function<String, LabelSelector> selector;
  private final Supplier<Optional<String>> fault;
  private final InstantSource clock;

  /**
   * A scaler over a read model.
   *
   * @param selector selects the values of one PredictiveHPA, by its name
   * @param fault why this replica should not answer yet, if so
   */
  public ExternalScaler(
      MetricReadModel model,
      DeclaredMetrics declared,
      Function<String, LabelSelector> selector,
      Supplier<Optional<String>> fault,
      InstantSource clock) {
    this.model = model;
    this.declared = declared;
    this.selector = selector;
    this.fault = fault;
    this.clock = clock;
  }

  /** The metrics that the HPA is to have: what the spec says, whether or not a value is known. */
  Reply<List<DeclaredMetric>> metrics(ScaledObjectRef ref) {
    return Trigger.of(ref).then(this::metrics);
  }

  /**
   * The value of one metric, in its own unit.
   *
   * @param metric as {@link #metrics} named it
   */
  Reply<Double> value(ScaledObjectRef ref, String metric) {
    return Trigger.of(ref)
        .then(
            trigger ->
                metrics(trigger)
                    .then(
                        metrics ->
                            metrics.stream().anyMatch(it -> it.name().equals(metric))
                                ? known(trigger, metric)
                                : noMetric(trigger, metric, metrics)));
  }

  /** Whether any value is active; unknown when none is, and one of them is unknown. */
  Reply<Boolean> isActive(ScaledObjectRef ref) {
    return Trigger.of(ref).then(trigger -> metrics(trigger).then(it -> isActive(trigger, it)));
  }

  private Reply<Boolean> isActive(Trigger trigger, List<DeclaredMetric> metrics) {
    var unknown = new ArrayList<Reply<Boolean>>();
    for (var metric : metrics) {
      var reply =
          known(trigger, metric.name())
              .<Boolean>then(
                  value -> new Reply.Given<>(trigger.isActiveAt(value, metric.mayBeIdle())));
      if (reply instanceof Reply.Given<Boolean>(var active) && active) {
        return reply;
      }
      if (reply instanceof Reply.Refused<Boolean>) {
        unknown.add(reply);
      }
    }
    return unknown.isEmpty() ? new Reply.Given<>(false) : unknown.getFirst();
  }

  private Reply<List<DeclaredMetric>> metrics(Trigger trigger) {
    var notReady = fault.get();
    if (notReady.isPresent()) {
      return Reply.refused(Reason.UNKNOWN, "This replica does not answer: " + notReady.get());
    }
    var all = declared.of(trigger.namespace(), trigger.predictiveHpa());
    if (all.isEmpty()) {
      return Reply.refused(
          Reason.ABSENT,
          "There is no PredictiveHPA %s in namespace %s; correct metadata.%s of the trigger."
              .formatted(trigger.predictiveHpa(), trigger.namespace(), Trigger.PREDICTIVE_HPA));
    }
    var metric = trigger.metric();
    if (metric.isEmpty()) {
      return new Reply.Given<>(all.get());
    }
    var selected = all.get().stream().filter(it -> it.name().equals(metric.get())).toList();
    return selected.isEmpty()
        ? noMetric(trigger, metric.get(), all.get())
        : new Reply.Given<>(selected);
  }

  private static <T> Reply<T> noMetric(
      Trigger trigger, String metric, List<DeclaredMetric> metrics) {
    return Reply.refused(
        Reason.ABSENT,
        "PredictiveHPA %s/%s has no metric \"%s\"; the trigger may have %s."
            .formatted(
                trigger.namespace(),
                trigger.predictiveHpa(),
                Trigger.quoted(metric),
                metrics.stream().map(DeclaredMetric::name).collect(Collectors.joining(", "))));
  }

  private Reply<Double> known(Trigger trigger, String metric) {
    var answer =
        model.read(
            new MetricKey(trigger.namespace(), metric),
            selector.apply(trigger.predictiveHpa()),
            clock.instant());
    return switch (answer) {
      case Answer.Fresh(var items) -> new Reply.Given<>(Answer.sum(items));
      case Answer.LastKnownGood(var items, _) -> new Reply.Given<>(Answer.sum(items));
      case Answer.Unknown(var reason) -> Reply.refused(Reason.UNKNOWN, reason);
      case Answer.Absent(var reason) -> Reply.refused(Reason.UNKNOWN, reason); // not yet published
    };
  }
}
