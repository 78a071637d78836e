package io.prescale.controller.telemetry;

import io.prescale.adapter.Answer;
import io.prescale.adapter.LabelSelector;
import io.prescale.adapter.MetricReadModel;
import io.prescale.controller.telemetry.ServingState.Holder;
import io.prometheus.client.Collector;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;

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
    var families = new MetricFamilies();
    var states = states();
    for (String name : VALUE_STATES) {
      long count = states.stream().filter(name::equals).count();
      families.of(name).add(SelfMetric.SERVED_METRICS, (double) count);
    }
    var end = state.certificateEnds().get();
    families.of().add(SelfMetric.CERTIFICATE_END_SECONDS, (double) end.getEpochSecond());
    state
        .holder()
        .get()
        .ifPresent(
            holder -> {
              for (Holder it : Holder.values()) {
                families.of(name(it)).add(SelfMetric.APISERVICE, it == holder ? 1 : 0);
              }
            });
    return families.all();
  }

  /** Asks the model as the HPA does: a metric is as good as its worst value. */
  private List<String> states() {
    var now = clock.instant();
    var everything = LabelSelector.everything();
    return model.keys().stream().map(key -> state(model.read(key, everything, now))).toList();
  }

  private static String state(Answer answer) {
    return switch (answer) {
      case Answer.Fresh _ -> "fresh";
      case Answer.LastKnownGood _ -> "last_known_good";
      case Answer.Unknown _ -> "unknown";
      case Answer.Absent _ -> "absent"; // withdrawn since the keys were listed
    };
  }

  private static String name(Holder holder) {
    return holder.name().toLowerCase(Locale.ROOT);
  }
}
