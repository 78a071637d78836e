package io.prescale.controller.place;

import io.prescale.controller.place.PodOutcome.Evicted;
import io.prescale.controller.place.PodOutcome.Placed;
import io.prescale.controller.place.PodOutcome.Reclaimed;
import io.prescale.controller.place.PodOutcome.Refused;
import io.prescale.controller.place.PodOutcome.Running;
import io.prescale.placement.cluster.ClusterSnapshot;
import io.prescale.placement.cluster.GpuRequest;
import io.prescale.placement.cluster.Placement;
import io.prescale.placement.decision.Gang;
import io.prescale.placement.decision.GangPlacer;
import io.prescale.placement.decision.GangResult;
import io.prescale.placement.decision.PlacementResult;
import io.prescale.placement.decision.Placer;
import io.prescale.placement.filter.Reason;
import io.prescale.placement.queue.QuotaCheck;
import io.prescale.placement.reclaim.ReclaimResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places waiting pods one after another in their order, beside those that run already; a gang is
 * placed as a whole when its first member comes. For one run. Not thread-safe.
 */
public final class PlacementRun {
  private final Placer placer;
  private final GangPlacer gangPlacer;
  private final PlacementRules rules;
  private final Gangs gangs;
  private final Optional<QueueBook> book;
  private final EvictionPlans evictions;
  private final RunState state;
  private final List<PodRow> pods;
  private final Map<String, PodOutcome> outcomes = new HashMap<>();

  /**
   * Creates a run that has placed nothing yet.
   *
   * @param cluster with the pods that run already ({@link RunningPlaces})
   * @param pods all of them, also those that run
   */
  public PlacementRun(
      ClusterSnapshot cluster, List<PodRow> pods, Placer placer, PlacementRules rules) {
    this.placer = placer;
    this.rules = rules;
    this.pods = List.copyOf(pods);
    gangPlacer = new GangPlacer(placer, NodesCsv.LEVELS);
    gangs = Gangs.of(pods, this::packed);
    book = rules.queues().map(tree -> new QueueBook(tree, cluster));
    evictions = new EvictionPlans(book, gangs);
    state = new RunState(cluster, rules.overcommit(), pods);
  }

  /** Observes after each decision how many pods are decided. */
  @FunctionalInterface
  public interface Progress {
    void decided(int pods, int of);
  }

  /** Places the pods; returns the outcome of each, in their order. */
  public List<PodOutcome> place(Progress progress) throws InterruptedException {
    state.cluster().placements().forEach(pod -> keep(new Running(pod)));
    if (rules.fairOrder()) {
      pods.stream().filter(pod -> pod.place().isEmpty()).map(PodRow::request).forEach(this::ask);
    }
    var waiting = new DecisionOrder(pods, rules.fairOrder() ? book : Optional.empty());
    for (var pod = waiting.next(); pod.isPresent(); pod = waiting.next()) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!outcomes.containsKey(pod.get().request().name())) {
        decide(pod.get());
        progress.decided(outcomes.size(), pods.size());
      }
    }
    placeEvicted();
    return pods.stream().map(pod -> outcome(pod.request().name())).toList();
  }

  /** Evicted pods get free places when all others are decided; no pod leaves for them. */
  private void placeEvicted() {
    for (var group : new EvictedPods(pods, outcomes).groups()) {
      var places = freePlaces(Gangs.gang(group.getFirst().request().name(), group, this::packed));
      if (passedBound(places).isEmpty()) {
        places.forEach(this::returnTo);
      }
    }
  }

  /** The free places of all members, or none. */
  private List<Placement> freePlaces(Gang gang) {
    if (gang.members().size() > 1) {
      return gangPlacer.place(cluster(), gang) instanceof GangResult.Whole whole
          ? whole.placements()
          : List.of();
    }
    return placer.place(cluster(), gang.members().getFirst())
            instanceof PlacementResult.Placed placed
        ? List.of(placed.placement())
        : List.of();
  }

  private void returnTo(Placement place) {
    if (outcome(place.request().name()) instanceof Evicted evicted) {
      take(place);
      keep(new Evicted(evicted.from(), evicted.claimant(), Optional.of(place)));
    }
  }

  private void keep(PodOutcome outcome) {
    outcomes.put(outcome.request().name(), outcome);
  }

  private PodOutcome outcome(String pod) {
    var outcome = outcomes.get(pod);
    if (outcome == null) {
      throw new IllegalStateException(pod + " was not decided");
    }
    return outcome;
  }

  /** The cluster with what has been placed so far. */
  public ClusterSnapshot cluster() {
    return state.cluster();
  }

  private GpuRequest packed(GpuRequest request) {
    return rules.packing().map(packing -> packing.applyTo(request)).orElse(request);
  }

  private void decide(PodRow pod) {
    var gang = pod.request().standing().gang().map(gangs::waiting);
    if (!rules.fairOrder()) {
      gang.map(Gang::members).orElseGet(() -> List.of(pod.request())).forEach(this::ask);
    }
    gang.ifPresentOrElse(this::placeGang, () -> placeAlone(packed(pod.request())));
  }

  /**
   * Counts what a request asks for: in fair order all at the start, else each when its turn comes.
   */
  private void ask(GpuRequest request) {
    book.ifPresent(it -> it.ask(request));
  }

  private void placeAlone(GpuRequest request) {
    switch (placer.place(cluster(), request)) {
      case PlacementResult.Placed placed -> takeWithinQuota(List.of(placed));
      case PlacementResult.Refused refused -> {
        var found = reclaim(new Gang(request.name(), List.of(request)));
        if (!found.isDone()) {
          keep(
              new Refused(
                  request, kind(refused), refused.summary() + found.why(), refused.nodes()));
        }
      }
    }
  }

  private void placeGang(Gang gang) {
    switch (gangPlacer.place(cluster(), gang)) {
      case GangResult.Whole whole -> takeWithinQuota(whole.members());
      case GangResult.None none -> {
        var found = reclaim(gang);
        if (!found.isDone()) {
          var summary = none.summary() + found.why();
          var kind = "its gang: " + kind(none.next());
          gang.members()
              .forEach(member -> keep(new Refused(member, kind, summary, none.next().nodes())));
        }
      }
    }
  }

  private void takeWithinQuota(List<PlacementResult.Placed> members) {
    var bound = passedBound(members.stream().map(PlacementResult.Placed::placement).toList());
    for (var member : members) {
      if (bound.isPresent()) {
        keep(overQuota(member.placement().request(), bound.get()));
      } else {
        take(member.placement());
        keep(new Placed(member.placement(), member.choice()));
      }
    }
  }

  private Optional<QuotaCheck.Exceeded> passedBound(List<Placement> placements) {
    return book.flatMap(it -> it.passedBound(placements));
  }

  private void take(Placement placement) {
    state.add(placement);
    book.ifPresent(it -> it.take(placement));
  }

  private static PodOutcome overQuota(GpuRequest request, QuotaCheck.Exceeded bound) {
    var word =
        switch (bound.bound()) {
          case LIMIT -> "limit";
          case GUARANTEED -> "guarantee";
        };
    return new Refused(
        request, "the %s of queue %s".formatted(word, bound.queue()), bound.reason(), List.of());
  }

  /** Whether evictions made room; if they failed, the reason, as the end of a sentence. */
  private record Attempt(boolean isDone, String why) {
    static final Attempt NOT_MADE = new Attempt(false, "");

    static Attempt failed(String reason) {
      return new Attempt(false, "; with evictions: " + reason);
    }
  }

  private Attempt reclaim(Gang gang) {
    if (!rules.mayEvict()) {
      return Attempt.NOT_MADE;
    }
    return switch (evictions.decide(cluster(), gang)) {
      case EvictionPlans.Impossible impossible -> Attempt.failed(impossible.reason());
      case EvictionPlans.Found found -> evictFor(found.evictions());
    };
  }

  private Attempt evictFor(ReclaimResult.Reclaimed found) {
    book.ifPresent(it -> found.victims().forEach(it::giveBack));
    var bound = passedBound(found.placements());
    if (bound.isPresent()) {
      book.ifPresent(it -> found.victims().forEach(it::take));
      return Attempt.failed(bound.get().reason());
    }
    var claimant = found.placements().getFirst().request();
    for (var victim : found.victims()) {
      state.remove(victim);
      keep(new Evicted(victim, claimant, Optional.empty()));
    }
    var victims = found.victims().stream().map(Placement::request).toList();
    for (var placement : found.placements()) {
      take(placement);
      keep(new Reclaimed(placement, victims, found.isProvenLeast()));
    }
    return new Attempt(true, "");
  }

  private static String kind(PlacementResult.Refused refused) {
    return refused.counts().entrySet().stream()
        .max(Map.Entry.<Reason, Integer>comparingByValue())
        .map(entry -> "most nodes " + entry.getKey().phrase(2))
        .orElse("there are no nodes");
  }
}
