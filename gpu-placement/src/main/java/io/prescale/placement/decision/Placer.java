package io.prescale.placement.decision;

import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.decision.Choice.Cost;
import io.prescale.placement.decision.Choice.RunnerUp;
import io.prescale.placement.decision.PlacementResult.NodeRefusal;
import io.prescale.placement.decision.PlacementResult.Placed;
import io.prescale.placement.decision.PlacementResult.Refused;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.preference.Criterion;
import io.prescale.placement.preference.Policy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Places requests on a snapshot according to a policy.
 *
 * <p>The result depends only on the arguments. Results for a node are cached while the node is the
 * same object, for the last {@value #REMEMBERED_SHAPES} shapes; so a decision costs O(nodes)
 * comparisons plus evaluating the nodes that have changed. Not thread-safe.
 */
public final class Placer {
  private static final int REMEMBERED_SHAPES = 512;
  private static final int NONE = -1;

  private final Policy policy;
  private final Filter filter;
  private final CardSelection cardSelection;
  private final Map<RequestShape, ShapeScores> scores =
      new LinkedHashMap<>(REMEMBERED_SHAPES, 0.75F, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RequestShape, ShapeScores> eldest) {
          return size() > REMEMBERED_SHAPES;
        }
      };

  private int[] everyNode = new int[0];

  /**
   * @param linkedCards may be shared with the policy
   */
  public Placer(Policy policy, LinkedCards linkedCards) {
    this.policy = policy;
    filter = new Filter(linkedCards);
    cardSelection = new CardSelection(linkedCards);
  }

  /** Finds the best place for a request, or reports for every node why it does not fit. */
  public PlacementResult place(ClusterSnapshot cluster, GpuRequest request) {
    if (everyNode.length != cluster.size()) {
      everyNode = IntStream.range(0, cluster.size()).toArray();
    }
    return place(cluster, request, everyNode, _ -> 0);
  }

  /**
   * Finds the best place among some of the nodes.
   *
   * @param nodes indices of nodes in the snapshot
   * @param distance compared before the policy; less is better
   */
  PlacementResult place(
      ClusterSnapshot cluster, GpuRequest request, int[] nodes, ToLongFunction<GpuNode> distance) {
    var shapeScores = scoresOf(request.shape());
    shapeScores.resize(cluster.size());
    var contest = new Contest(shapeScores, distance);
    for (int index : nodes) {
      contest.enter(index, cluster.node(index));
    }
    return contest.best == NONE
        ? new Refused(request, refusals(cluster, shapeScores, nodes))
        : placed(cluster, request, contest);
  }

  /**
   * Finds the best places among some of the nodes, for a caller that may not be able to take the
   * best. Costs O(nodes · most) comparisons at worst, where each node is better than all before it,
   * plus evaluating the nodes that have changed.
   *
   * @param nodes indices of nodes in the snapshot
   * @param distance compared before the policy; less is better
   * @param image of places that are equal otherwise, those come first that have it; may be empty
   * @param most maximum number of places, at least 1
   */
  public Shortlist shortlist(
      ClusterSnapshot cluster,
      GpuRequest request,
      int[] nodes,
      ToLongFunction<GpuNode> distance,
      String image,
      int most) {
    var shapeScores = scoresOf(request.shape());
    shapeScores.resize(cluster.size());
    var best =
        new Best(shapeScores, node -> cluster.node(node).spec().images().contains(image), most);
    for (int index : nodes) {
      var node = cluster.node(index);
      if (shapeScores.fits(index, node)) {
        best.enter(index, distance.applyAsLong(node));
      }
    }
    if (best.size == 0) {
      return new Shortlist(List.of(), refusals(cluster, shapeScores, nodes));
    }
    var places = new ArrayList<Placement>(best.size);
    for (int i = 0; i < best.size; i++) {
      places.add(placement(cluster, request, shapeScores, best.indices[i]));
    }
    return new Shortlist(places, List.of());
  }

  /** Keeps the best few of the nodes entered, the best first. */
  private static final class Best {
    private final ShapeScores scores;
    private final int[] indices;
    private final long[] distances;
    private final IntPredicate hasImage;
    private int size;

    Best(ShapeScores scores, IntPredicate hasImage, int most) {
      this.scores = scores;
      this.hasImage = hasImage;
      indices = new int[most];
      distances = new long[most];
    }

    void enter(int index, long distance) {
      int place = size;
      while (place > 0 && isBetter(index, distance, place - 1)) {
        place--;
      }
      if (place == indices.length) {
        return;
      }
      size = Math.min(size + 1, indices.length);
      int worse = size - 1 - place;
      System.arraycopy(indices, place, indices, place + 1, worse);
      System.arraycopy(distances, place, distances, place + 1, worse);
      indices[place] = index;
      distances[place] = distance;
    }

    private boolean isBetter(int index, long distance, int place) {
      if (distance != distances[place]) {
        return distance < distances[place];
      }
      int order = scores.compare(index, indices[place]);
      if (order != 0) {
        return order < 0;
      }
      boolean isPresent = hasImage.test(index);
      return isPresent == hasImage.test(indices[place]) ? index < indices[place] : isPresent;
    }
  }

  private ShapeScores scoresOf(RequestShape shape) {
    return scores.computeIfAbsent(
        shape, key -> new ShapeScores(new Ranking(policy, key), filter, cardSelection));
  }

  private static List<NodeRefusal> refusals(
      ClusterSnapshot cluster, ShapeScores scores, int[] nodes) {
    var refusals = new ArrayList<NodeRefusal>(nodes.length);
    for (int index : nodes) {
      refusals.add(new NodeRefusal(cluster.node(index).name(), scores.reason(index)));
    }
    return refusals;
  }

  private static Placed placed(ClusterSnapshot cluster, GpuRequest request, Contest contest) {
    var placement = placement(cluster, request, contest.scores, contest.best);
    return new Placed(placement, contest.choice(cluster, placement.node()));
  }

  private static Placement placement(
      ClusterSnapshot cluster, GpuRequest request, ShapeScores scores, int index) {
    return Placement.on(cluster.node(index), request, scores.cards(index)).orElseThrow();
  }

  private record NetworkDistance() implements Criterion {
    @Override
    public String name() {
      return "distance in the network";
    }

    @Override
    public String inWords(long cost) {
      return Long.toString(cost);
    }
  }

  /** Keeps the best and the second best of the nodes entered. */
  private static final class Contest {
    private final ShapeScores scores;
    private final ToLongFunction<GpuNode> distance;
    private int fitting;
    private int best = NONE;
    private long bestDistance;
    private int second = NONE;
    private long secondDistance;

    Contest(ShapeScores scores, ToLongFunction<GpuNode> distance) {
      this.scores = scores;
      this.distance = distance;
    }

    void enter(int index, GpuNode node) {
      if (!scores.fits(index, node)) {
        return;
      }
      fitting++;
      long away = distance.applyAsLong(node);
      if (best == NONE || isBetter(index, away, best, bestDistance)) {
        second = best;
        secondDistance = bestDistance;
        best = index;
        bestDistance = away;
      } else if (second == NONE || isBetter(index, away, second, secondDistance)) {
        second = index;
        secondDistance = away;
      }
    }

    private boolean isBetter(int left, long leftAway, int right, long rightAway) {
      return leftAway != rightAway ? leftAway < rightAway : scores.compare(left, right) < 0;
    }

    Choice choice(ClusterSnapshot cluster, String node) {
      var costs = costs(best, bestDistance);
      if (second == NONE) {
        return new Choice(node, fitting, costs, Optional.empty());
      }
      var others = costs(second, secondDistance);
      Optional<Cost> decidedBy = Optional.empty();
      for (int i = costs.size() - 1; i >= 0; i--) {
        if (costs.get(i).cost() != others.get(i).cost()) {
          decidedBy = Optional.of(others.get(i));
        }
      }
      var runnerUp = new RunnerUp(cluster.node(second).name(), decidedBy);
      return new Choice(node, fitting, costs, Optional.of(runnerUp));
    }

    private List<Cost> costs(int index, long away) {
      var costs = new ArrayList<Cost>();
      costs.add(new Cost(new NetworkDistance(), away));
      for (int level = 0; level < scores.ranking().nodeLevels(); level++) {
        costs.add(new Cost(scores.ranking().nodeCriterion(level), scores.cost(index, level)));
      }
      return costs;
    }
  }
}
