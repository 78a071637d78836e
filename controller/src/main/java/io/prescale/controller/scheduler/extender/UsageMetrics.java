package io.prescale.controller.scheduler.extender;

import io.prescale.placement.inventory.CardReading;
import io.prescale.placement.ledger.CardUse;
import io.prescale.placement.ledger.Utilisation;
import io.prescale.placement.ledger.Utilisation.Membership;
import io.prescale.placement.ledger.Utilisation.Sum;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Use and allocation of cards, nodes, queues and workloads. The most allocated of each are exported
 * one by one, up to a limit; the other queues and workloads are exported as one sum.
 */
final class UsageMetrics extends Collector {
  static final int MOST_CARDS = 20_000;
  static final int MOST_NODES = 5_000;
  static final int MOST_QUEUES = 500;
  static final int MOST_WORKLOADS = 2_000;
  private static final String OTHERS = "others";
  private static final double MILLI = 1000;
  private static final double PERCENT = 100;

  private final Supplier<List<CardUse>> uses;
  private final Supplier<Map<String, CardReading>> readings;
  private final Function<String, Optional<Membership>> memberships;

  UsageMetrics(
      Supplier<List<CardUse>> uses,
      Supplier<Map<String, CardReading>> readings,
      Function<String, Optional<Membership>> memberships) {
    this.uses = uses;
    this.readings = readings;
    this.memberships = memberships;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var cards = uses.get();
    var known = readings.get();
    var sums = Utilisation.of(cards, known, memberships);
    var families = new ArrayList<MetricFamilySamples>(cards(cards, known));
    families.addAll(sums("node", List.of("node"), sums.nodes(), List::of, MOST_NODES, false));
    families.addAll(sums("queue", List.of("queue"), sums.queues(), List::of, MOST_QUEUES, true));
    families.addAll(
        sums(
            "workload",
            List.of("namespace", "workload"),
            sums.workloads(),
            workload -> List.of(workload.namespace(), workload.name()),
            MOST_WORKLOADS,
            true));
    return families;
  }

  private static List<MetricFamilySamples> cards(
      List<CardUse> all, Map<String, CardReading> readings) {
    var allocated = card("allocated_ratio", "The part of a card that is promised to pods.");
    var used = card("used_ratio", "The part of the time or of the engine that a card is busy.");
    var usable = card("usable", "1 where a card may be given to new pods, else 0.");
    var heat = card("temperature_celsius", "Temperature of a card.");
    var power = card("power_watts", "Power that a card draws.");
    var most = Comparator.comparingLong(CardUse::milli).reversed();
    for (var card : all.stream().sorted(most).limit(MOST_CARDS).toList()) {
      var labels = List.of(card.node(), card.uuid());
      allocated.addMetric(labels, card.milli() / MILLI);
      usable.addMetric(labels, card.usable() ? 1 : 0);
      var reading = readings.get(card.uuid());
      if (reading != null) {
        var health = reading.health();
        reading.utilisationPercent().ifPresent(p -> used.addMetric(labels, p / PERCENT));
        health.temperatureCelsius().ifPresent(celsius -> heat.addMetric(labels, celsius));
        health.powerWatts().ifPresent(watts -> power.addMetric(labels, watts));
      }
    }
    return List.of(allocated, used, usable, heat, power);
  }

  private static GaugeMetricFamily card(String name, String help) {
    return new GaugeMetricFamily("prescale_gpu_card_" + name, help, List.of("node", "uuid"));
  }

  private static <K extends Comparable<K>> List<MetricFamilySamples> sums(
      String what,
      List<String> labels,
      Map<K, Sum> sums,
      Function<K, List<String>> values,
      int most,
      boolean othersToo) {
    var allocated =
        new GaugeMetricFamily(
            "prescale_gpu_%s_allocated_cards".formatted(what),
            "Cards that pods of a %s have, parts of cards added up.".formatted(what),
            labels);
    var used =
        new GaugeMetricFamily(
            "prescale_gpu_%s_used_cards".formatted(what),
            "Cards that are busy for a %s, as far as exporters report.".formatted(what),
            labels);
    var order =
        Map.Entry.<K, Sum>comparingByValue(Comparator.comparingDouble(Sum::allocated))
            .reversed()
            .thenComparing(Map.Entry.comparingByKey());
    var sorted = sums.entrySet().stream().sorted(order).toList();
    sorted.stream()
        .limit(most)
        .forEach(entry -> add(allocated, used, values.apply(entry.getKey()), entry.getValue()));
    if (othersToo) {
      sorted.stream()
          .skip(most)
          .map(Map.Entry::getValue)
          .reduce(Sum::plus)
          .ifPresent(rest -> add(allocated, used, labels.stream().map(_ -> OTHERS).toList(), rest));
    }
    return List.of(allocated, used);
  }

  private static void add(
      GaugeMetricFamily allocated, GaugeMetricFamily used, List<String> labels, Sum sum) {
    allocated.addMetric(labels, sum.allocated());
    sum.used().ifPresent(cards -> used.addMetric(labels, cards));
  }
}
