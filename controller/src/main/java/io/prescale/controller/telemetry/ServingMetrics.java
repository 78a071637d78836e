package io.prescale.controller.telemetry;

import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.telemetry.ServingState.Holder;
import io.prometheus.client.Collector;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The series about what this replica serves, whether it leads or not. Thread-safe. */
final class ServingMetrics extends Collector {
  private static final List<String> VALUE_STATES = List.of("fresh", "last_known_good", "unknown");

  private final InstantSource clock;
  private final MetricReadModel model;
  private final ServingState state;

  ServingMetrics(InstantSource clock, MetricReadModel model, ServingState state) {
    this.clock = clock;
    this.model = model;
    this.state = state;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    return Stream.concat(
            Stream.of(values(), certificate()),
            state.holder().get().map(ServingMetrics::holder).stream())
        .toList();
  }

  /** Asks the model as the HPA does: a metric is as good as its worst value. */
  private MetricFamilySamples values() {
    var now = clock.instant();
    var everything = LabelSelector.everything();
    var states = model.keys().stream().map(key -> state(model.read(key, everything, now))).toList();
    return family(
        SelfMetric.SERVED_METRICS,
        VALUE_STATES.stream()
            .map(
                name ->
                    sample(
                        SelfMetric.SERVED_METRICS,
                        (double) states.stream().filter(name::equals).count(),
                        name))
            .toList());
  }

  private static String state(Answer answer) {
    return switch (answer) {
      case Answer.Fresh _ -> "fresh";
      case Answer.LastKnownGood _ -> "last_known_good";
      case Answer.Unknown _ -> "unknown";
      case Answer.Absent _ -> "absent"; // withdrawn since the keys were listed
    };
  }

  private MetricFamilySamples certificate() {
    return family(
        SelfMetric.CERTIFICATE_END_SECONDS,
        List.of(
            sample(
                SelfMetric.CERTIFICATE_END_SECONDS,
                (double) state.certificateEnds().get().getEpochSecond())));
  }

  private static MetricFamilySamples holder(Holder holder) {
    return family(
        SelfMetric.APISERVICE,
        Arrays.stream(Holder.values())
            .map(it -> sample(SelfMetric.APISERVICE, it == holder ? 1 : 0, name(it)))
            .toList());
  }

  private static String name(Holder holder) {
    return holder.name().toLowerCase(Locale.ROOT);
  }

  private static MetricFamilySamples family(
      SelfMetric series, List<MetricFamilySamples.Sample> samples) {
    return new MetricFamilySamples(series.metricName(), series.type(), series.help(), samples);
  }

  private static MetricFamilySamples.Sample sample(
      SelfMetric series, double value, String... labels) {
    return new MetricFamilySamples.Sample(
        series.metricName(), series.labels(), List.of(labels), value);
  }
}
