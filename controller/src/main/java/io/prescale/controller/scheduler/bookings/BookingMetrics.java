package io.prescale.controller.scheduler.bookings;

import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.placement.notice.Expectation.Outcome;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Replicas that GpuBookings expect within the hour, by what became of them. */
public final class BookingMetrics extends Collector {
  /** NOT_SEARCHED is no outcome: the last one counts. */
  private static final Set<Outcome> KNOWN =
      Set.copyOf(EnumSet.complementOf(EnumSet.of(Outcome.NOT_SEARCHED)));

  private final Supplier<Map<String, BookingState>> states;

  /** Of the states of bookings by their keys. */
  public BookingMetrics(Supplier<Map<String, BookingState>> states) {
    this.states = states;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var replicas =
        new GaugeMetricFamily(
            "prescale_booking_replicas",
            "Replicas that GpuBookings of a namespace expect within the hour, by outcome.",
            List.of("namespace", "outcome"));
    var now = states.get();
    for (var outcome : KNOWN) {
      now.entrySet().stream()
          .collect(
              Collectors.groupingBy(
                  entry -> entry.getKey().substring(0, entry.getKey().indexOf('/')),
                  Collectors.summingInt(entry -> entry.getValue().of(outcome))))
          .forEach(
              (namespace, count) ->
                  replicas.addMetric(
                      List.of(namespace, outcome.name().toLowerCase(Locale.ROOT)), count));
    }
    return List.of(replicas);
  }
}
