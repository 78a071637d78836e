package io.prescale.placement.decision;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.NetworkLevels;
import io.prescale.placement.cluster.NetworkScope;
import io.prescale.placement.cluster.NodeSpec;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.PlacementResult.Refused;
import io.prescale.placement.filter.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Places gangs: tries the domains of each scope from the preferred one outwards to the required
 * one, those with the least idle GPU first, and takes the first that holds the whole gang.
 *
 * <p>Within a domain the members are placed one by one, the largest first, each near the ones
 * before it. For members of one shape that request shares of one card, or whole cards without
 * required links, this finds a solution if one exists, because the number that fits a node does not
 * depend on the order; other gangs may be refused although another order would fit.
 */
public final class GangPlacer {
  private static final Comparator<GpuRequest> LARGEST_FIRST =
      Comparator.comparingLong(GangPlacer::size).reversed();

  private final Placer placer;
  private final List<NetworkScope> scopes;

  public GangPlacer(Placer placer, NetworkLevels levels) {
    this.placer = placer;
    this.scopes = levels.scopes();
  }

  /** Finds places for all members, or reports the domain that holds the most and what it lacks. */
  public GangResult place(ClusterSnapshot cluster, Gang gang) {
    var members = gang.members().stream().sorted(LARGEST_FIRST).toList();
    var attempts = List.<Attempt>of();
    for (var scope : scopes) {
      if (scope.compareTo(gang.preferred()) >= 0 && scope.compareTo(gang.required()) <= 0) {
        attempts = new ArrayList<>();
        for (var domain : domains(cluster, scope)) {
          var attempt = attempt(cluster, members, domain, gang.preferred());
          if (attempt.refused().isEmpty()) {
            return new GangResult.Whole(attempt.placed());
          }
          attempts.add(attempt);
        }
      }
    }
    return attempts.stream()
        .max(Comparator.comparingInt(attempt -> attempt.placed().size()))
        .map(attempt -> none(gang, attempt))
        .orElseGet(() -> noDomain(cluster, gang, members.getFirst()));
  }

  private static GangResult none(Gang gang, Attempt nearest) {
    return new GangResult.None(
        gang,
        gang.required(),
        nearest.domain(),
        nearest.placed().size(),
        nearest.refused().orElseThrow());
  }

  private static GangResult noDomain(ClusterSnapshot cluster, Gang gang, GpuRequest first) {
    var refusals =
        cluster.nodes().map(node -> new NodeRefusal(node.name(), Reason.POSITION_UNKNOWN)).toList();
    return new GangResult.None(gang, gang.required(), "", 0, new Refused(first, refusals));
  }

  /** The domains of a scope, those with the least idle GPU first. */
  private static List<Domain> domains(ClusterSnapshot cluster, NetworkScope scope) {
    var nodesByName = new LinkedHashMap<String, List<Integer>>();
    for (int index = 0; index < cluster.size(); index++) {
      var name = scope.domainOf(cluster.node(index).spec());
      if (!name.isEmpty()) {
        nodesByName.computeIfAbsent(name, _ -> new ArrayList<>()).add(index);
      }
    }
    return nodesByName.entrySet().stream()
        .map(entry -> domain(cluster, entry.getKey(), entry.getValue()))
        .sorted(Comparator.comparingLong(Domain::idleMilli))
        .toList();
  }

  private static Domain domain(ClusterSnapshot cluster, String name, List<Integer> nodes) {
    long idle = nodes.stream().mapToLong(index -> cluster.node(index).freeMilli()).sum();
    return new Domain(name, nodes, idle);
  }

  private Attempt attempt(
      ClusterSnapshot cluster, List<GpuRequest> members, Domain domain, NetworkScope preferred) {
    var placed = new ArrayList<Placed>();
    var nodes = new ArrayList<NodeSpec>();
    int[] indices = domain.nodes().stream().mapToInt(Integer::intValue).toArray();
    var state = cluster;
    for (var member : members) {
      switch (placer.place(
          state, member, indices, node -> distance(node.spec(), nodes, preferred))) {
        case Refused refused -> {
          return new Attempt(domain.name(), placed, Optional.of(refused));
        }
        case Placed next -> {
          placed.add(next);
          state = state.with(next.placement());
          nodes.add(state.find(next.placement().node()).orElseThrow().spec());
        }
      }
    }
    return new Attempt(domain.name(), placed, Optional.empty());
  }

  /** The narrowest scope that a node shares with one of the others, by its place among all. */
  private long distance(NodeSpec node, List<NodeSpec> others, NetworkScope preferred) {
    long least = preferred.equals(NetworkScope.CLUSTER) ? 0 : Long.MAX_VALUE;
    for (var other : others) {
      least = Math.min(least, distance(node, other));
    }
    return least;
  }

  private long distance(NodeSpec left, NodeSpec right) {
    long distance = 0;
    for (var scope : scopes) {
      var domain = scope.domainOf(left);
      if (!domain.isEmpty() && domain.equals(scope.domainOf(right))) {
        return distance;
      }
      distance++;
    }
    return distance;
  }

  private static long size(GpuRequest request) {
    var shape = request.shape();
    int card =
        switch (shape.demand()) {
          case GpuDemand.NoGpu _ -> 0;
          case GpuDemand.WholeGpu _ -> Gpu.WHOLE_MILLI;
          case GpuDemand.Fraction fraction -> fraction.milli();
          case GpuDemand.Share share -> Math.max(1, share.computeMilli());
          case GpuDemand.MigInstance _ -> 1;
        };
    return (long) shape.gpus() * card;
  }

  /** The result in one domain: all members have places, or some have and the next is refused. */
  private record Attempt(String domain, List<Placed> placed, Optional<Refused> refused) {}

  /** The indices of the nodes of one network domain, and their free GPU. */
  private record Domain(String name, List<Integer> nodes, long idleMilli) {}
}
