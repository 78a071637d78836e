package io.prescale.controller.telemetry;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Samples by family, in the order of {@link SelfMetric}. */
final class MetricFamilies {
  private final Map<SelfMetric, List<MetricFamilySamples.Sample>> samples =
      new EnumMap<>(SelfMetric.class);

  /** Receives samples whose first labels have these values. */
  Samples of(String... labels) {
    return new Samples(List.of(labels));
  }

  /** The samples of one object. */
  final class Samples {
    private final List<String> first;

    private Samples(List<String> first) {
      this.first = first;
    }

    void add(SelfMetric series, double value, String... further) {
      var labels = Stream.concat(first.stream(), Stream.of(further)).toList();
      String name = series.metricName() + (series.type() == Collector.Type.COUNTER ? "_total" : "");
      samples
          .computeIfAbsent(series, _ -> new ArrayList<>())
          .add(new MetricFamilySamples.Sample(name, series.labels(), labels, value));
    }

    void add(SelfMetric series, OptionalDouble value, String... further) {
      value.ifPresent(known -> add(series, known, further));
    }
  }

  List<MetricFamilySamples> all() {
    return samples.entrySet().stream()
        .map(
            e ->
                new MetricFamilySamples(
                    e.getKey().metricName(), e.getKey().type(), e.getKey().help(), e.getValue()))
        .toList();
  }
}
