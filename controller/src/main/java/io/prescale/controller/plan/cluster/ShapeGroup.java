package io.prescale.controller.plan.cluster;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.Dependence;
import io.prescale.controller.plan.ReplicaSum;
import io.prescale.controller.scheduler.facts.Facts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import io.prescale.placement.inventory.DemandReader;
import io.prescale.placement.inventory.PodDemand;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Services whose replicas go to the same places, so that one fits where another does.
 *
 * @param shape what a replica asks for, in words
 * @param cards that a replica asks for
 * @param services the largest first
 * @param sums their replicas together, in each step
 */
public record ShapeGroup(
    String shape, double cards, List<Service> services, List<ReplicaSum> sums) {
  private static final DemandReader READER = new DemandReader(_ -> Set.of());

  public ShapeGroup {
    services = List.copyOf(services);
    sums = List.copyOf(sums);
  }

  /** The groups of services that ask for cards, in no order. */
  static List<ShapeGroup> of(
      List<Service> services, Dependence dependence, double factor, ClusterObjects cluster) {
    var parts = CardParts.of(cluster);
    return services.stream()
        .filter(service -> CardParts.areAskedFor(service.pods().one()))
        .collect(groupingBy(service -> key(service.pods(), cluster), TreeMap::new, toList()))
        .values()
        .stream()
        .map(members -> of(members, dependence, factor, parts))
        .toList();
  }

  private static ShapeGroup of(
      List<Service> members, Dependence dependence, double factor, CardParts parts) {
    var demands = new TreeMap<String, DemandAhead>();
    members.forEach(it -> demands.put(it.name(), it.demand()));
    var largest = Comparator.comparingInt((Service it) -> highest(it, factor)).reversed();
    var sorted = members.stream().sorted(largest.thenComparing(Service::name)).toList();
    var sums =
        IntStream.range(0, members.getFirst().demand().steps())
            .mapToObj(h -> ReplicaSum.of(demands, dependence, h, factor))
            .toList();
    var one = members.getFirst().pods().one();
    return new ShapeGroup(words(one), parts.cards(one), sorted, sums);
  }

  private static int highest(Service service, double factor) {
    return IntStream.range(0, service.demand().steps())
        .map(h -> service.demand().replicas(h, 0.9, factor))
        .max()
        .orElse(0);
  }

  /** What decides about places: demands, priority, queue, and which nodes are let in. */
  private static String key(ReplicaPods pods, ClusterObjects cluster) {
    return pods.one().stream()
        .map(
            pod -> {
              var facts = Facts.of(pod);
              return List.of(
                      READER.read(facts),
                      facts.priority(),
                      cluster.queue(pod),
                      facts.scheduler(),
                      String.valueOf(pod.getSpec().getNodeSelector()),
                      String.valueOf(pod.getSpec().getTolerations()))
                  .toString();
            })
        .collect(joining("; "));
  }

  private static String words(List<Pod> replica) {
    var first = words(READER.read(Facts.of(replica.getFirst())));
    return replica.size() == 1
        ? first
        : "%d pods, the first with %s".formatted(replica.size(), first);
  }

  private static String words(PodDemand demand) {
    return switch (demand) {
      case PodDemand.Cards cards -> cards.shape().toString();
      case PodDemand.Counted counted ->
          new TreeMap<>(counted.units())
              .entrySet().stream()
                  .map(it -> "%d x %s".formatted(it.getValue(), it.getKey()))
                  .collect(joining(", "));
      case PodDemand.None _, PodDemand.Refused _ -> "no cards";
    };
  }

  /** The replicas that suffice in a step. */
  int need(int h, double level) {
    return sums.get(h).quantile(level);
  }

  /** The pods of further replicas, as the largest service makes them. */
  List<Pod> further(String key, int replicas) {
    return services.getFirst().pods().further(key, replicas);
  }

  int podsEach() {
    return services.getFirst().pods().one().size();
  }

  boolean has(Pod pod) {
    return services.stream().anyMatch(it -> it.pods().has(pod));
  }

  List<String> names() {
    return services.stream().map(Service::name).limit(20).toList();
  }

  /** The longest of the services. */
  Duration lead() {
    return services.stream().map(Service::lead).max(Comparator.naturalOrder()).orElseThrow();
  }

  /** The names in a sentence. */
  String title() {
    var named = services.stream().map(Service::name).limit(3).collect(joining(", "));
    int more = services.size() - 3;
    return more > 0 ? "%s and %d more".formatted(named, more) : named;
  }
}
