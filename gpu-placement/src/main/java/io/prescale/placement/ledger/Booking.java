package io.prescale.placement.ledger;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodSelector;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replicas of one workload that are expected.
 *
 * @param key namespace and name of the booking
 * @param pods that take its cards
 * @param replica the pods of one, several of which are a gang; their UIDs and names mean nothing
 * @param nodes where those may be that ask for cards
 * @param price of an hour in which a replica is needed and missing, in hours of its cards
 */
public record Booking(
    String key,
    PodSelector pods,
    List<PodFacts> replica,
    Set<String> nodes,
    List<Need> needs,
    double price) {
  /**
   * A number of replicas that is needed for a while.
   *
   * @param replicas in all, those that have cards included
   * @param probability that as many are needed
   */
  public record Need(Instant from, Instant until, int replicas, double probability) {
    public Need {
      if (!from.isBefore(until) || replicas < 1 || !(probability > 0 && probability <= 1)) {
        throw new IllegalArgumentException(
            "%d replicas from %s until %s with probability %s; give 1 or more, a later end, and"
                    .formatted(replicas, from, until, probability)
                + " above 0 to 1");
      }
    }
  }

  public Booking {
    replica = List.copyOf(replica);
    nodes = Set.copyOf(nodes);
    needs = List.copyOf(needs);
    if (replica.isEmpty()) {
      throw new IllegalArgumentException("a replica without pods; give one or more");
    }
    if (!(price >= 0 && Double.isFinite(price))) {
      throw new IllegalArgumentException("a price of %s; give 0 or more".formatted(price));
    }
  }

  /** Replicas of one pod each. */
  public Booking(
      String key,
      PodSelector pods,
      PodFacts replica,
      Set<String> nodes,
      List<Need> needs,
      double price) {
    this(key, pods, List.of(replica), nodes, needs, price);
  }

  /** Whether a replica is a gang. */
  boolean isOfGangs() {
    return replica.size() > 1;
  }

  /** What decides about the places of its pods, and what they are worth. */
  public record Kind(
      String namespace,
      List<List<Asked>> asked,
      List<Map<String, String>> annotations,
      Optional<String> queue,
      String scheduler,
      int priority,
      Set<String> nodes,
      double price) {}

  /**
   * What one container asks for.
   *
   * @param init whether it runs before the others, and so has its cards when they have none
   */
  public record Asked(boolean init, Map<String, Long> amounts) {}

  /** Pods of bookings of one kind may be placed on each other's cards. */
  public Kind kind() {
    var first = replica.getFirst();
    return new Kind(
        first.namespace(),
        replica.stream().map(Booking::asked).toList(),
        replica.stream().map(PodFacts::annotations).toList(),
        first.queue(),
        first.scheduler(),
        first.priority(),
        nodes,
        price);
  }

  private static List<Asked> asked(PodFacts pod) {
    return pod.containers().stream().map(it -> new Asked(it.init(), it.asked())).toList();
  }
}
