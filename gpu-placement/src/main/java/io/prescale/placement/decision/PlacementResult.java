package io.prescale.placement.decision;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.filter.Reason;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The result of placing a request. */
public sealed interface PlacementResult {

  /** The request has a place. */
  record Placed(Placement placement, Choice choice) implements PlacementResult {}

  /** The request fits no node. */
  record Refused(GpuRequest request, List<NodeRefusal> nodes) implements PlacementResult {
    public Refused {
      nodes = List.copyOf(nodes);
    }

    /** The number of nodes that refuse for each reason. */
    public Map<Reason, Integer> counts() {
      var counts = new EnumMap<Reason, Integer>(Reason.class);
      nodes.forEach(node -> counts.merge(node.reason(), 1, Integer::sum));
      return counts;
    }

    /**
     * The requirement and what the nodes lack, the most frequent first, as in {@code needs 2 GPUs
     * with 40 GiB on NVLink: 14 nodes lack memory, 3 lack the link, 1 is cordoned}.
     */
    public String summary() {
      var needs = "needs " + request.shape() + ": ";
      if (nodes.isEmpty()) {
        return needs + "there are no nodes";
      }
      var reasons =
          counts().entrySet().stream()
              .sorted(Map.Entry.<Reason, Integer>comparingByValue().reversed())
              .map(entry -> entry.getValue() + " " + entry.getKey().phrase(entry.getValue()))
              .collect(Collectors.joining(", "));
      int space = reasons.indexOf(' ');
      var noun = reasons.startsWith("1 ") ? " node" : " nodes";
      return needs + reasons.substring(0, space) + noun + reasons.substring(space);
    }
  }

  /** Why one node refuses. */
  record NodeRefusal(String node, Reason reason) {}
}
