package io.prescale.controller.extender;

import io.prescale.controller.extender.ExtenderApi.Verb;
import io.prescale.controller.placement.Ledger;
import io.prescale.controller.placement.Totals;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.Writer;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the extender tells Prometheus about itself and about the cards. Thread-safe. */
final class ExtenderMetrics {
  static final String CONTENT_TYPE = TextFormat.CONTENT_TYPE_004;

  private final CollectorRegistry registry = new CollectorRegistry();
  private final Histogram seconds;

  ExtenderMetrics(Ledger ledger) {
    seconds =
        Histogram.build("prescale_extender_seconds", "Time that an answer took, waits included.")
            .labelNames("verb")
            .buckets(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30)
            .register(registry);
    total(ledger, "prescale_gpu_nodes", "Nodes whose cards are known.", Totals::nodes);
    total(ledger, "prescale_gpu_cards", "Cards that are known one by one.", Totals::cards);
    total(ledger, "prescale_gpu_pods", "Pods that hold devices or are offered some.", Totals::pods);
    total(
        ledger,
        "prescale_gpu_refused_pods",
        "Pods that wait until there is room for them.",
        Totals::refused);
    total(
        ledger,
        "prescale_gpu_compute_milli",
        "Compute of all cards, in thousandths of one.",
        Totals::milli);
    total(
        ledger,
        "prescale_gpu_compute_held_milli",
        "Compute that pods hold, in thousandths of a card.",
        Totals::heldMilli);
    total(ledger, "prescale_gpu_memory_mebibytes", "Memory of all cards.", Totals::memoryMib);
    total(
        ledger,
        "prescale_gpu_memory_held_mebibytes",
        "Memory that pods hold.",
        Totals::heldMemoryMib);
    Gauge.build("prescale_gpu_inventory_problems", "Things that were left out; see /problems.")
        .create()
        .setChild(
            new Gauge.Child() {
              @Override
              public double get() {
                return ledger.problems().values().stream().mapToInt(p -> p.size()).sum();
              }
            })
        .register(registry);
  }

  private void total(Ledger ledger, String name, String help, ToDoubleFunction<Totals> value) {
    Gauge.build(name, help)
        .create()
        .setChild(
            new Gauge.Child() {
              @Override
              public double get() {
                return value.applyAsDouble(ledger.totals());
              }
            })
        .register(registry);
  }

  void answered(Verb verb, long nanos) {
    seconds.labels(verb.name().toLowerCase(Locale.ROOT)).observe(nanos / 1e9);
  }

  /** Everything, in the text format 0.0.4. */
  void write(Writer writer) throws IOException {
    TextFormat.write004(writer, registry.metricFamilySamples());
  }
}
