package io.prescale.placement.ledger;

import io.prescale.placement.inventory.CardReading;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Use and allocation in cards. The use of a shared card is attributed to its pods in proportion to
 * their shares, because its exporter sees only the card.
 *
 * @param nodes by name
 * @param queues by name
 * @param workloads by namespace and name
 */
public record Utilisation(
    Map<String, Sum> nodes, Map<String, Sum> queues, Map<Workload, Sum> workloads) {
  private static final double MILLI = 1000;
  private static final double PERCENT = 100;

  /** Such as {@code Deployment/llama}. */
  public record Workload(String namespace, String name) implements Comparable<Workload> {
    @Override
    public int compareTo(Workload other) {
      int byNamespace = namespace.compareTo(other.namespace);
      return byNamespace == 0 ? name.compareTo(other.name) : byNamespace;
    }
  }

  /** The queue and the workload that a pod's part is counted to. */
  public record Membership(String queue, Workload workload) {}

  /**
   * Sums of cards.
   *
   * @param used empty when no reading of the cards is known
   */
  public record Sum(double allocated, Optional<Double> used) {
    /** The sum of both. */
    public Sum plus(Sum other) {
      return new Sum(
          allocated + other.allocated,
          used.isEmpty() && other.used.isEmpty()
              ? Optional.empty()
              : Optional.of(used.orElse(0.0) + other.used.orElse(0.0)));
    }
  }

  /**
   * Adds up the cards.
   *
   * @param membership of each holder; without one, a part is counted to the node only
   */
  public static Utilisation of(
      List<CardUse> cards,
      Map<String, CardReading> readings,
      Function<String, Optional<Membership>> membership) {
    var sums =
        new Utilisation(
            new TreeMap<String, Sum>(), new TreeMap<String, Sum>(), new TreeMap<Workload, Sum>());
    for (var card : cards) {
      var used = used(readings.get(card.uuid()));
      sums.nodes.merge(card.node(), new Sum(card.milli() / MILLI, used), Sum::plus);
      for (var part : card.parts()) {
        membership
            .apply(part.holder())
            .ifPresent(member -> sums.add(member, sum(card, part, used)));
      }
    }
    return sums;
  }

  private static Optional<Double> used(@Nullable CardReading reading) {
    var percent = reading == null ? OptionalInt.empty() : reading.utilisationPercent();
    return percent.isPresent() ? Optional.of(percent.getAsInt() / PERCENT) : Optional.empty();
  }

  private static Sum sum(CardUse card, CardUse.Part part, Optional<Double> used) {
    double fraction = card.milli() == 0 ? 0 : (double) part.milli() / card.milli();
    return new Sum(part.milli() / MILLI, used.map(all -> all * fraction));
  }

  private void add(Membership member, Sum sum) {
    queues.merge(member.queue(), sum, Sum::plus);
    workloads.merge(member.workload(), sum, Sum::plus);
  }
}
