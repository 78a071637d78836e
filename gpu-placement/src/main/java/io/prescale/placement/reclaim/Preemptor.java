package io.prescale.placement.reclaim;

import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.filter.Filter;
import io.prescale.placement.filter.LinkedCards;
import io.prescale.placement.overcommit.MemoryStacking;
import io.prescale.placement.topology.CardSet;
import io.prescale.placement.vacancy.RunningPods;
import io.prescale.placement.vacancy.VacancySearch;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses the victims on one node so that the most important pods are spared, as PriorityClasses
 * promise: of two sets that make room, the one without the most important of the pods in which they
 * differ. No pod of it could stay. Not thread-safe.
 *
 * <p>A way to make room is looked for, and another one without the most important of its pods,
 * until none is left that can be spared: a search for each victim and for each pod that was one for
 * a while. Only gangs and budgets leave choices in vain; where these are more than {@value
 * #MOST_STEPS} steps can try, no way may be found, or a pod not be spared.
 */
public final class Preemptor {
  private static final int MOST_STEPS = 3_000;

  private final Filter filter;

  public Preemptor(LinkedCards linkedCards) {
    filter = new Filter(linkedCards);
  }

  /**
   * Chooses the victims for one request.
   *
   * @param pods of one node
   * @param request one, for which others leave; for one without cards only those do that must
   * @param given names of pods that leave in any case
   * @param stacking by what cards promise more memory than they have
   * @return their names; empty if there is no way to make room, or one of the given may not leave
   */
  public Optional<List<String>> decide(
      RunningPods pods,
      ReclaimRequest request,
      Set<String> given,
      Optional<MemoryStacking> stacking) {
    Evictions evictions = new Evictions(pods, request);
    for (int pod = 0; pod < pods.size(); pod++) {
      if (given.contains(requestOf(pods, pod).name()) && !evictions.leave(pod)) {
        return Optional.empty();
      }
    }
    RequestShape shape = request.requests().getFirst().shape();
    if (shape.gpus() > 0) {
      VacancySearch search = new VacancySearch(pods, filter, evictions, stacking);
      Optional<List<Integer>> least = new Sparing(pods, evictions, search, shape).least();
      if (least.isEmpty()) {
        return Optional.empty();
      }
      least.get().forEach(evictions::leave);
    }
    return Optional.of(
        evictions.since(0).stream().map(pod -> requestOf(pods, pod).name()).toList());
  }

  private static GpuRequest requestOf(RunningPods pods, int pod) {
    return pods.placement(pod).request();
  }

  /** The search on a node that the given pods have left. */
  private static final class Sparing implements VacancySearch.Visitor {
    private final RunningPods pods;
    private final Evictions evictions;
    private final VacancySearch search;
    private final RequestShape shape;
    private final int given;
    private Optional<List<Integer>> way = Optional.empty();
    private int steps;

    Sparing(RunningPods pods, Evictions evictions, VacancySearch search, RequestShape shape) {
      this.pods = pods;
      this.evictions = evictions;
      this.search = search;
      this.shape = shape;
      given = evictions.count();
    }

    Optional<List<Integer>> least() {
      List<Integer> mostImportantFirst = mostImportantFirst();
      mostImportantFirst.stream().filter(pod -> !canLeave(pod)).forEach(evictions::keep);
      Optional<List<Integer>> least = anyWay();
      for (int pod : mostImportantFirst) {
        least = least.map(known -> sparing(pod, known));
      }
      return least;
    }

    private List<Integer> mostImportantFirst() {
      return IntStream.range(0, pods.size())
          .boxed()
          .sorted(
              Comparator.comparingInt((Integer pod) -> requestOf(pods, pod).standing().priority())
                  .thenComparing(pod -> requestOf(pods, pod).name())
                  .reversed())
          .toList();
    }

    /** Whether a pod can leave, perhaps with its gang; none can later that cannot now. */
    private boolean canLeave(int pod) {
      boolean canLeave = evictions.leave(pod);
      evictions.backTo(given);
      return canLeave;
    }

    /** A way in which a pod stays from now on, or the known one if it has to leave. */
    private List<Integer> sparing(int pod, List<Integer> known) {
      evictions.keep(pod);
      if (!known.contains(pod)) {
        return known;
      }
      Optional<List<Integer>> other = anyWay();
      if (other.isEmpty()) {
        evictions.keepNoMore(pod);
      }
      return other.orElse(known);
    }

    private Optional<List<Integer>> anyWay() {
      way = Optional.empty();
      search.visit(0, shape, this);
      return way;
    }

    @Override
    public boolean isWorthwhile() {
      return way.isEmpty() && ++steps <= MOST_STEPS;
    }

    @Override
    public void found(CardSet cards) {
      way = way.or(() -> Optional.of(evictions.since(given)));
    }
  }
}
