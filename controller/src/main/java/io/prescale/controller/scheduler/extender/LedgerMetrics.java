package io.prescale.controller.scheduler.extender;

import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.fragmentation.Fragmentation;
import io.prescale.placement.fragmentation.TargetWorkload;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.ledger.UsualWorkload;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sums over both ledgers; each is read once for all of its metrics. */
final class LedgerMetrics extends Collector {
  private final Ledger ledger;
  private final ClaimLedger claims;

  LedgerMetrics(Ledger ledger, ClaimLedger claims) {
    this.ledger = ledger;
    this.claims = claims;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var families = new ArrayList<>(cards());
    families.add(
        gauge(
            "gpu_fragmented_milli",
            "What is idle but of no use to requests of the last week (of the usual ones, where few"
                + " are known), in thousandths of a card.",
            Math.round(
                fragmentedMilli(ledger.cluster(), ledger.workload())
                    + fragmentedMilli(claims.cluster(), UsualWorkload.shares()))));
    families.add(
        gauge(
            "gpu_inventory_problems",
            "Things that were left out; see /problems.",
            count(ledger.problems()) + count(claims.problems())));
    families.addAll(claims());
    return families;
  }

  private List<MetricFamilySamples> cards() {
    var totals = ledger.totals();
    return List.of(
        gauge("gpu_nodes", "Nodes whose cards are known.", totals.nodes()),
        gauge("gpu_cards", "Cards that are known one by one.", totals.cards()),
        gauge("gpu_pods", "Pods that hold devices or are offered some.", totals.pods()),
        gauge("gpu_refused_pods", "Pods that wait until there is room for them.", totals.refused()),
        gauge("gpu_compute_milli", "Compute of all cards, in thousandths of one.", totals.milli()),
        gauge(
            "gpu_compute_held_milli",
            "Compute that pods hold, in thousandths of a card.",
            totals.heldMilli()),
        gauge("gpu_memory_mebibytes", "Memory of all cards.", totals.memoryMib()),
        gauge("gpu_memory_held_mebibytes", "Memory that pods hold.", totals.heldMemoryMib()),
        gauge(
            "gpu_memory_overcommitted_mebibytes",
            "Memory that pods were promised beyond what their cards have.",
            totals.overcommittedMib()));
  }

  /** Works on a snapshot, so no ledger is locked meanwhile. */
  private static double fragmentedMilli(ClusterSnapshot cluster, TargetWorkload workload) {
    return new Fragmentation(workload).milliOf(cluster);
  }

  private List<MetricFamilySamples> claims() {
    var totals = claims.totals();
    return List.of(
        gauge(
            "claim_cards", "Cards of ResourceSlices that claims can be pinned to.", totals.cards()),
        gauge("claim_memory_mebibytes", "Their memory.", totals.memoryMib()),
        gauge(
            "claim_memory_held_mebibytes",
            "Memory that claims hold or are pinned to.",
            totals.heldMemoryMib()),
        gauge(
            "claim_waiting_pods",
            "Pods whose claim cannot be pinned; see /problems.",
            totals.refused()));
  }

  private static int count(Map<String, List<String>> problems) {
    return problems.values().stream().mapToInt(List::size).sum();
  }

  private static MetricFamilySamples gauge(String name, String help, long value) {
    return new GaugeMetricFamily("prescale_" + name, help, (double) value);
  }
}
