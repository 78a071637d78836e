package io.prescale.controller.scheduler.warm;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.util.Collection;
import java.util.Locale;

/** What is counted of images that are pulled ahead. */
public final class WarmMetrics {
  private final Gauge pods;
  private final Histogram starts;

  public WarmMetrics(CollectorRegistry registry) {
    pods =
        Gauge.build("prescale_warm_pods", "Pods that pull images ahead, by state.")
            .labelNames("state")
            .register(registry);
    starts =
        Histogram.build(
                "prescale_booking_start_seconds",
                "From the binding of a booking's pod until it is ready, by whether its images were"
                    + " on the node.")
            .labelNames("images")
            .buckets(1, 5, 10, 20, 30, 60, 90, 120, 180, 300, 450, 600, 900, 1800, 3600)
            .register(registry);
  }

  void pods(Collection<WarmPod> all) {
    for (var state : WarmPod.State.values()) {
      pods.labels(state.name().toLowerCase(Locale.ROOT))
          .set((double) all.stream().filter(it -> it.state() == state).count());
    }
  }

  void started(PodStarted start) {
    starts
        .labels(start.images().name().toLowerCase(Locale.ROOT))
        .observe(start.took().toMillis() / 1000.0);
  }
}
