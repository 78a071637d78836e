package io.prescale.placement.vacancy;

import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.GpuNode;
import io.prescale.placement.cluster.HostDemand;
import io.prescale.placement.cluster.LinkRequirement;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.Verdict;
import io.prescale.placement.overcommit.MemoryStacking;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.topology.LinkMatrix;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Finds every way to make room for a request on a node: the cards that it would take, and the pods
 * that must leave. Not thread-safe.
 *
 * <p>Enumerates all sets of cards that could fit, linked as required, and for each card and for the
 * node's CPU and memory all minimal sets of pods, large pods first; the visitor prunes. O(C(cards,
 * gpus)) for whole cards, more when pods share cards; at most {@value #MOST_STEPS} steps on a node,
 * which only subsets of many small pods can reach.
 */
public final class VacancySearch {
  /** Receives the ways that are found, and prunes the search. */
  public interface Visitor {
    /** Whether to continue with the pods chosen so far. */
    boolean isWorthwhile();

    /** Receives a way: the request fits on these cards without the pods chosen so far. */
    void found(CardSet cards);
  }

  private static final int MOST_STEPS = 50_000;

  private final RunningPods pods;
  private final Filter filter;
  private final Departures departures;
  private final Occupancy occupancy;
  private boolean wasCut;

  /** A search for which cards that pods leave promise no more memory than they have. */
  public VacancySearch(RunningPods pods, Filter filter, Departures departures) {
    this(pods, filter, departures, Optional.empty());
  }

  /**
   * A search.
   *
   * @param stacking by what cards promise more memory than they have, also once pods have left
   */
  public VacancySearch(
      RunningPods pods, Filter filter, Departures departures, Optional<MemoryStacking> stacking) {
    this.pods = pods;
    this.filter = filter;
    this.departures = departures;
    occupancy = new Occupancy(pods, departures, stacking);
  }

  /** Whether the step limit has cut off the search on some node. */
  public boolean wasCut() {
    return wasCut;
  }

  /** Takes a placed request into account from now on. */
  public void arrive(int node, Placement placement) {
    occupancy.arrive(node, placement);
  }

  /** Undoes the last {@link #arrive} on a node. */
  public void takeBack(int node) {
    occupancy.takeBack(node);
  }

  /** A node without the pods chosen so far and with the requests placed so far. */
  public GpuNode nodeNow(int node) {
    return occupancy.node(node, departures::isGone);
  }

  /** The verdict of a node for a shape if all pods that may leave had left. */
  public Verdict judgeEmptied(int node, RequestShape shape) {
    return filter.judge(emptied(node), shape);
  }

  private GpuNode emptied(int node) {
    return occupancy.node(node, pod -> departures.isGone(pod) || departures.mayLeave(pod));
  }

  /** The number of cards of a node that are idle now. */
  public int idleCards(int node) {
    int idle = 0;
    for (int card = 0; card < pods.cluster().node(node).cards(); card++) {
      idle += occupancy.fits(node, card, GpuDemand.WholeGpu.ANY, 1) ? 1 : 0;
    }
    return idle;
  }

  /**
   * A quick lower bound of the further pods that must leave: the cards needed and not idle, divided
   * by the cards of the node's widest pod.
   */
  public int leastDepartures(int node, RequestShape shape) {
    if (!(shape.demand() instanceof GpuDemand.WholeGpu)) {
      return 0;
    }
    int missing = Math.max(0, shape.gpus() - idleCards(node));
    return Math.ceilDiv(missing, Math.max(1, pods.widestOn(node)));
  }

  /** Shows a visitor every way to fit a request on a node; restores the chosen pods at the end. */
  public void visit(int node, RequestShape shape, Visitor visitor) {
    GpuNode emptied = emptied(node);
    if (filter.judge(emptied, shape) instanceof Verdict.Fits fits) {
      new Walk(node, shape, visitor, emptied).takeCards(0, shape.gpus(), fits.cards().bits());
    }
  }

  private final class Walk {
    private final int node;
    private final RequestShape shape;
    private final Visitor visitor;
    private final Optional<LinkMatrix> links;
    private final int weakestPair;

    /** How often each card can serve the demand; more than once only in MIG mode. */
    private final int[] most;

    private int steps;

    Walk(int node, RequestShape shape, Visitor visitor, GpuNode emptied) {
      this.node = node;
      this.shape = shape;
      this.visitor = visitor;
      most = IntStream.range(0, emptied.cards()).map(card -> most(emptied, card)).toArray();
      weakestPair = shape.leastLinkScore();
      links = pods.cluster().node(node).spec().pairsFor(shape.links());
    }

    private int most(GpuNode emptied, int card) {
      return shape.links().strength() == LinkRequirement.Strength.NONE
              && emptied.gpu(card).partitioning().isMig()
          ? emptied.shares(card, shape.demand(), shape.gpus()).size()
          : 1;
    }

    private boolean isWorthwhile() {
      if (++steps > MOST_STEPS) {
        wasCut = true;
        return false;
      }
      return visitor.isWorthwhile();
    }

    void takeCards(int chosen, int missing, int candidates) {
      if (missing == 0) {
        freeHost(new CardSet(chosen));
        return;
      }
      for (int rest = candidates; mostOn(rest) >= missing; rest &= rest - 1) {
        int card = Integer.numberOfTrailingZeros(rest);
        int others = rest & rest - 1;
        int mostHere = isLinked(card, chosen) ? Math.min(most[card], missing) : 0;
        for (int times = 1; times <= mostHere; times++) {
          int left = missing - times;
          freeCard(card, times, 0, () -> takeCards(chosen | 1 << card, left, others));
        }
      }
    }

    private int mostOn(int cards) {
      int sum = 0;
      for (int rest = cards; rest != 0; rest &= rest - 1) {
        sum += most[Integer.numberOfTrailingZeros(rest)];
      }
      return sum;
    }

    private boolean isLinked(int card, int chosen) {
      return links.isEmpty() || links.get().weakestTo(card, new CardSet(chosen)) >= weakestPair;
    }

    /** Continues if the card fits; otherwise tries each of its pods as the next to leave. */
    private void freeCard(int card, int times, int from, Runnable next) {
      if (!isWorthwhile()) {
        return;
      }
      if (occupancy.fits(node, card, shape.demand(), times)) {
        next.run();
        return;
      }
      int[] onCard = pods.onCard(node, card);
      boolean mustAllLeave = shape.demand() instanceof GpuDemand.WholeGpu;
      for (int i = from; i < onCard.length; i++) {
        int before = departures.count();
        if (!departures.isGone(onCard[i]) && departures.leave(onCard[i])) {
          freeCard(card, times, i + 1, next);
          departures.backTo(before);
        }
        if (mustAllLeave && !departures.isGone(onCard[i])) {
          return;
        }
      }
    }

    /** Chooses further pods until the node has the CPU and memory. */
    private void freeHost(CardSet cards) {
      Occupancy.HostLack lack = occupancy.hostLack(node, shape);
      if (lack.isNone()) {
        if (isWorthwhile()) {
          visitor.found(cards);
        }
        return;
      }
      ToLongFunction<HostDemand> scarcer =
          lack.cpuMilli() > 0 ? HostDemand::cpuMilli : HostDemand::memoryMib;
      int[] largestFirst =
          IntStream.of(pods.onNode(node))
              .boxed()
              .sorted(Comparator.comparingLong(pod -> -scarcer.applyAsLong(hostOf(pod))))
              .mapToInt(Integer::intValue)
              .toArray();
      freeHost(cards, largestFirst, 0);
    }

    private HostDemand hostOf(int pod) {
      return pods.placement(pod).request().shape().host();
    }

    private void freeHost(CardSet cards, int[] onNode, int from) {
      if (!isWorthwhile()) {
        return;
      }
      if (occupancy.hostLack(node, shape).isNone()) {
        visitor.found(cards);
        return;
      }
      for (int i = from; i < onNode.length; i++) {
        int before = departures.count();
        if (!departures.isGone(onNode[i]) && departures.leave(onNode[i])) {
          freeHost(cards, onNode, i + 1);
          departures.backTo(before);
        }
      }
    }
  }
}
