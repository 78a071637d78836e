package io.prescale.controller.extender;

import io.prescale.controller.dra.ClaimLedger;
import io.prescale.controller.extender.ExtenderApi.Verb;
import io.prescale.controller.placement.Ledger;
import io.prescale.controller.placement.Totals;
import io.prescale.controller.placement.UsualWorkload;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.ToDoubleFunction;

/** What the extender tells Prometheus about itself and about the cards. Thread-safe. */
final class ExtenderMetrics {
  static final String CONTENT_TYPE = TextFormat.CONTENT_TYPE_004;

  private final CollectorRegistry registry = new CollectorRegistry();
  private final Histogram seconds;

  /**
   * Metrics of both ledgers.
   *
   * @param usage of cards, by whom
   */
  ExtenderMetrics(Ledger ledger, ClaimLedger claims, UsageMetrics usage) {
    usage.register(registry);
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
    gauge(
        "prescale_gpu_fragmented_milli",
        "What is idle but of no use to requests of the usual sizes, in thousandths of a card.",
        () -> fragmentedMilli(ledger.cluster()) + fragmentedMilli(claims.cluster()));
    gauge(
        "prescale_gpu_inventory_problems",
        "Things that were left out; see /problems.",
        () -> count(ledger.problems()) + count(claims.problems()));
    claims(claims);
  }

  private static int count(Map<String, List<String>> problems) {
    return problems.values().stream().mapToInt(List::size).sum();
  }

  /** Of a snapshot, which does not change: no ledger waits for it. */
  private static double fragmentedMilli(ClusterSnapshot cluster) {
    return new Fragmentation(UsualWorkload.shares()).milliOf(cluster);
  }

  private void claims(ClaimLedger claims) {
    gauge(
        "prescale_claim_cards",
        "Cards of ResourceSlices that claims can be pinned to.",
        () -> claims.totals().cards());
    gauge("prescale_claim_memory_mebibytes", "Their memory.", () -> claims.totals().memoryMib());
    gauge(
        "prescale_claim_memory_held_mebibytes",
        "Memory that claims hold or are pinned to.",
        () -> claims.totals().heldMemoryMib());
    gauge(
        "prescale_claim_waiting_pods",
        "Pods whose claim cannot be pinned; see /problems.",
        () -> claims.waiting().size());
  }

  private void total(Ledger ledger, String name, String help, ToDoubleFunction<Totals> value) {
    gauge(name, help, () -> value.applyAsDouble(ledger.totals()));
  }

  private void gauge(String name, String help, DoubleSupplier value) {
    Gauge.build(name, help)
        .create()
        .setChild(
            new Gauge.Child() {
              @Override
              public double get() {
                return value.getAsDouble();
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
