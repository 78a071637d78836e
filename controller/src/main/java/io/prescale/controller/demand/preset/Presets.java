package io.prescale.controller.demand.preset;

import io.prescale.controller.api.v1alpha1.MetricEntry;
import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** All presets. */
public final class Presets {
  private Presets() {}

  /** Every preset, in display order. */
  public static List<Preset> all() {
    return Stream.of(PresetName.values()).map(Presets::of).toList();
  }

  /** The preset of this name. */
  public static Preset of(PresetName name) {
    return switch (name) {
      case VLLM -> Vllm.preset();
      case TRITON -> Triton.preset();
      case TGI -> Tgi.preset();
      case SGLANG -> Sglang.preset();
      case NIM -> Nim.preset();
      case DCGM -> Dcgm.preset();
      case LLM_D -> LlmD.preset();
      case HTTP_ADD_ON -> HttpAddOn.preset();
    };
  }

  /**
   * The PromQL expression of a forecast metric: the user's own, or the preset's for its model and
   * namespace.
   *
   * @param ownNamespace the namespace of the resource with the metric
   * @throws IllegalArgumentException if there is no such expression; the message is for the user
   */
  public static String promql(MetricEntry metric, String ownNamespace) {
    if (metric.prometheus() != null) {
      return metric.prometheus().query();
    }
    if (metric.preset() == null) {
      throw new IllegalArgumentException(
          "The metric %s has neither prometheus.query nor preset; add one of them."
              .formatted(metric.name()));
    }
    return query(metric.preset(), signal(metric)).demand().promql(scope(metric, ownNamespace));
  }

  /**
   * The PromQL expression for the number of series behind a preset's demand; empty if the demand is
   * one sum, or that of the user's own query.
   */
  public static Optional<String> series(MetricEntry metric, String ownNamespace) {
    return presetQuery(metric)
        .flatMap(PresetQuery::series)
        .map(it -> it.promql(scope(metric, ownNamespace)));
  }

  private static PresetScope scope(MetricEntry metric, String ownNamespace) {
    var namespace = metric.namespace() == null ? ownNamespace : metric.namespace();
    return new PresetScope(Optional.ofNullable(metric.model()), Optional.of(namespace));
  }

  private static Optional<PresetQuery> presetQuery(MetricEntry metric) {
    return metric.prometheus() == null
        ? Optional.ofNullable(metric.preset()).flatMap(it -> of(it).query(signal(metric)))
        : Optional.empty();
  }

  private static PresetSignal signal(MetricEntry metric) {
    return metric.signal() == null ? PresetSignal.Requests : metric.signal();
  }

  /** The unit of a metric and of its target; empty for a query of the user's own without one. */
  public static Optional<String> unit(MetricEntry metric) {
    return metric.prometheus() == null
        ? presetQuery(metric).map(PresetQuery::unit)
        : Optional.ofNullable(metric.prometheus().unit());
  }

  /**
   * The query for the present requests of each pod of a namespace, whichever their model; empty if
   * the metric's preset has none.
   */
  public static Optional<String> workByPod(MetricEntry metric, String namespace) {
    return Optional.ofNullable(metric.preset())
        .flatMap(preset -> of(preset).workByPod())
        .map(it -> it.promql(new PresetScope(Optional.empty(), Optional.of(namespace))));
  }

  /**
   * The query of a preset for a signal.
   *
   * @throws IllegalArgumentException if the preset has no such signal; the message is for the user
   */
  public static PresetQuery query(PresetName name, PresetSignal signal) {
    return of(name)
        .query(signal)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The preset %s has no signal %s; use Requests."
                        .formatted(name.text(), signal)));
  }
}
