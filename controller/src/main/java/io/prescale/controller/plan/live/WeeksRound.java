package io.prescale.controller.plan.live;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.TargetSettings;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.demand.source.MetricSource;
import io.prescale.controller.demand.source.MetricSource.HistoryReading;
import io.prescale.controller.operator.DemandRecords;
import io.prescale.controller.operator.LiveTargets;
import io.prescale.controller.operator.NotReady;
import io.prescale.controller.plan.DayAhead;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.DemandAhead.Bounds;
import io.prescale.controller.plan.PastWeeks;
import io.prescale.controller.plan.WeekDraws;
import io.prescale.controller.plan.WeeksAhead;
import io.prescale.controller.plan.cluster.CardParts;
import io.prescale.controller.plan.cluster.CardsThere;
import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import io.prescale.forecasting.TimeSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Makes the plan of the coming weeks: reads the cluster and the past weeks, and writes nothing. */
public final class WeeksRound {
  private static final int PAST_WEEKS = 8;
  private static final int SCENARIOS = 1000;

  private final DemandRecords records;
  private final MetricSource source;
  private final Instant from;
  private final int weeks;
  private final List<String> notes = new ArrayList<>();

  /** Called after the past of each service has been read. */
  @FunctionalInterface
  public interface Progress {
    void read(int services, int ofServices);
  }

  /** A service whose past is known. */
  private record KnownService(
      String name, ReplicaPods pods, List<String> models, WeeksAhead.Service service) {}

  private WeeksRound(DemandRecords records, MetricSource source, Instant from, int weeks) {
    this.records = records;
    this.source = source;
    this.from = from;
    this.weeks = weeks;
  }

  /**
   * Makes it; reads for as long as the servers take.
   *
   * @throws IllegalArgumentException with a sentence, when the question makes no sense here
   */
  public static WeeksPlan plan(
      KubernetesClient client,
      DemandRecords records,
      MetricSource source,
      PlanQuestion question,
      int weeks,
      Instant now,
      RandomGenerator random,
      Progress progress)
      throws InterruptedException {
    var from = TimeSeries.stepBegin(now, PastWeeks.STEP);
    var cluster =
        new PlanRound(client, PlanRound.resources(client, Set.of()), Integer.MAX_VALUE, now);
    var left = question.left(cluster.cluster().objects());
    var round = new WeeksRound(records, source, from, weeks);
    var services = round.services(cluster, CardParts.of(left), now, progress);
    var draws = WeekDraws.of(SCENARIOS, weeks, PAST_WEEKS, random);
    var there = CardsThere.of(left);
    var rows =
        services.stream()
            .collect(
                groupingBy(
                    it -> String.join(", ", it.models()) + new TreeSet<>(there.nodes(it.pods())),
                    TreeMap::new,
                    toList()))
            .values()
            .stream()
            .map(it -> row(it, there, draws, question.factor()))
            .toList();
    return new WeeksPlan(from, weeks, rows, round.notes);
  }

  private static WeeksPlan.Row row(
      List<KnownService> services, CardsThere there, List<WeekDraws> draws, double factor) {
    var models = services.getFirst().models();
    return new WeeksPlan.Row(
        models,
        services.stream().map(KnownService::name).toList(),
        there.of(models, services.stream().map(KnownService::pods).toList()),
        WeeksAhead.of(services.stream().map(KnownService::service).toList(), draws, factor));
  }

  private List<KnownService> services(
      PlanRound cluster, CardParts cards, Instant now, Progress progress)
      throws InterruptedException {
    var known = new ArrayList<KnownService>();
    var resources = cluster.services();
    for (int i = 0; i < resources.size(); i++) {
      add(resources.get(i), cluster, cards, now, known);
      progress.read(i + 1, resources.size());
    }
    return known;
  }

  private void add(
      PredictiveHPA resource,
      PlanRound cluster,
      CardParts cards,
      Instant now,
      List<KnownService> known)
      throws InterruptedException {
    var name = resource.qualifiedName();
    try {
      var pods =
          cluster
              .cluster()
              .pods(name, now)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "its target is not there, or of a kind that is not planned for."));
      var recorded = records.of(resource);
      var past = past(recorded);
      switch (past) {
        case PastWeeks.Known.Nothing(var sentence) -> leaveOut(name, sentence);
        case PastWeeks.Known.Assumed(var weeksKnown, var sentence) -> {
          notes.add("Of %s, %s".formatted(name, sentence));
          known.add(known(resource, weeksKnown, recorded.settings(), pods, cards));
        }
        case PastWeeks.Known.Enough(var weeksKnown) ->
            known.add(known(resource, weeksKnown, recorded.settings(), pods, cards));
      }
    } catch (NotReady | IllegalArgumentException e) {
      leaveOut(name, String.valueOf(e.getMessage()));
    } catch (KubernetesClientException e) {
      leaveOut(name, "the API server: " + ApiFailure.text(e));
    }
  }

  private void leaveOut(String name, String why) {
    notes.add("%s is left out: %s".formatted(name, why));
  }

  private KnownService known(
      PredictiveHPA resource,
      PastWeeks past,
      TargetSettings settings,
      ReplicaPods pods,
      CardParts cards) {
    var lead = PlanRound.lead(resource).withoutRamp();
    var bounds =
        IntStream.range(0, weeks * PastWeeks.STEPS)
            .mapToObj(h -> from.plus(PastWeeks.STEP.multipliedBy(h)))
            .map(at -> ServiceForecast.bounds(settings, at, lead))
            .toList();
    List<Bounds> joined = DemandAhead.joined(bounds);
    return new KnownService(
        resource.qualifiedName(),
        pods,
        List.copyOf(cards.models(pods.one())),
        new WeeksAhead.Service(past, joined, cards.cards(pods.one())));
  }

  /** Of several metrics the one that asks for most counts, where all are known. */
  private PastWeeks.Known past(LiveTargets.Recorded recorded) throws InterruptedException {
    var begin = from.minus(Duration.ofDays(7L * PAST_WEEKS));
    var demand = new double[PAST_WEEKS * PastWeeks.STEPS];
    for (int metric = 0; metric < recorded.demands().size(); metric++) {
      double capacity = recorded.settings().metrics().get(metric).capacityPerReplica();
      switch (read(recorded, metric, begin)) {
        case HistoryReading.Found(var minutes) -> {
          var highest = DayAhead.highest(minutes, begin, PastWeeks.STEP, demand.length);
          for (int i = 0; i < demand.length; i++) {
            demand[i] = Math.max(demand[i], highest[i] / capacity); // NaN wins
          }
        }
        case HistoryReading.NotFound(var missing) -> {
          return new PastWeeks.Known.Nothing(missing.message());
        }
      }
    }
    return PastWeeks.of(demand);
  }

  private HistoryReading read(LiveTargets.Recorded recorded, int metric, Instant begin)
      throws InterruptedException {
    try {
      return source.history(recorded.demands().get(metric), begin, from).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a history that fails is an answer", e);
    }
  }
}
