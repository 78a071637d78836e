package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanWorkload;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.autoscaling.LeadTime;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.Pages;
import io.prescale.controller.operator.LeadTimeFromStatus;
import io.prescale.controller.operator.SpecReader;
import io.prescale.controller.plan.DemandAhead;
import io.prescale.controller.plan.Dependence;
import io.prescale.controller.plan.cluster.CapacityPlanner;
import io.prescale.controller.plan.cluster.KeptStatements;
import io.prescale.controller.plan.cluster.PlanQuestion;
import io.prescale.controller.plan.cluster.PlannedCluster;
import io.prescale.controller.plan.cluster.WorkloadPlans;
import io.prescale.controller.plan.live.ServiceForecasts.Known;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/** One making of the plan: what there is, and what follows. Not thread-safe. */
final class PlanRound {
  /** As many as a status holds. */
  static final int MOST_WORKLOADS = 100;

  private static final int MOST_STEPS = 96;

  /** Forecasts are an hour old when they are renewed; a plan that lacks more says so. */
  private static final int USUALLY_LACKING = 6;

  private static final LeadTime USUAL_LEAD = LeadTime.declared(Duration.ofMinutes(5));
  private static final double PERCENT = 100;

  private final PlannedCluster cluster;
  private final List<PredictiveHPA> services;
  private final Map<String, PlanWorkload> described = new HashMap<>();
  private final int leftOut;

  /**
   * Reads the cluster.
   *
   * @param resources all PredictiveHPAs; those whose replicas ask for no cards are left out
   * @param most for how many is planned
   */
  PlanRound(KubernetesClient client, List<PredictiveHPA> resources, int most, Instant now) {
    var all = resources.stream().map(PlanRound::described).toList();
    all.forEach(it -> described.put(it.name(), it));
    cluster = PlannedCluster.read(client, all);
    var asking =
        resources.stream()
            .filter(
                it ->
                    !cluster.targets().containsKey(it.qualifiedName())
                        || asksForCards(it.qualifiedName(), now))
            .toList();
    services = asking.stream().limit(most).toList();
    leftOut = asking.size() - services.size();
  }

  /**
   * All that there are, by their names.
   *
   * @param namespaces where to look; everywhere if there is none
   */
  static List<PredictiveHPA> resources(KubernetesClient client, Set<String> namespaces) {
    var all = client.resources(PredictiveHPA.class);
    var found = new ArrayList<PredictiveHPA>();
    if (namespaces.isEmpty()) {
      Pages.each(all.inAnyNamespace(), BriefObjects.PAGE, found::addAll);
    }
    namespaces.forEach(name -> Pages.each(all.inNamespace(name), BriefObjects.PAGE, found::addAll));
    found.sort(Comparator.comparing(PredictiveHPA::qualifiedName));
    return found;
  }

  /** A target that makes no sense is asked about again when the plan is made. */
  private boolean asksForCards(String name, Instant now) {
    try {
      return cluster.asksForCards(name, now);
    } catch (IllegalArgumentException _) {
      return true;
    }
  }

  /** The lead time last measured or declared. */
  static LeadTime lead(PredictiveHPA resource) {
    var status = resource.unreadable().isPresent() ? null : resource.getStatus();
    return status == null || status.leadTime() == null
        ? USUAL_LEAD
        : LeadTimeFromStatus.of(status.leadTime());
  }

  /**
   * How long before a demand its replicas are created: the lead time, and the window whose highest
   * demand is served.
   */
  static Duration ahead(PredictiveHPA resource) {
    var spec = resource.unreadable().isPresent() ? null : resource.getSpec();
    var lead = lead(resource).total();
    try {
      return spec == null ? lead : lead.plus(SpecReader.window(spec.forecast()));
    } catch (IllegalArgumentException _) {
      return lead; // of an earlier definition, which admitted other steps
    }
  }

  static PlanWorkload described(PredictiveHPA resource) {
    var spec = resource.unreadable().isPresent() ? null : resource.getSpec();
    var target = spec == null ? null : spec.scaleTargetRef();
    return new PlanWorkload(
        resource.qualifiedName(),
        target == null ? null : target.apiVersion(),
        target == null ? null : target.kind(),
        target == null ? null : target.name(),
        ahead(resource).toSeconds(),
        List.of(),
        List.of(),
        List.of(),
        resource.unreadable().orElse(null));
  }

  PlannedCluster cluster() {
    return cluster;
  }

  /** The services for which is planned. */
  List<PredictiveHPA> services() {
    return services;
  }

  /**
   * The status.
   *
   * @param before that of the last plan
   */
  CapacityPlanStatus status(
      Function<PredictiveHPA, Known> forecasts,
      Optional<CapacityPlanStatus> before,
      PlanQuestion question,
      Instant now) {
    var known = new TreeMap<String, Known>();
    services.forEach(it -> known.put(it.qualifiedName(), forecasts.apply(it)));
    var step = ServiceForecast.STEP;
    long millis = now.toEpochMilli();
    var from = Instant.ofEpochMilli(millis - Math.floorMod(millis, step.toMillis()));
    var ahead = ahead(known);
    int steps = ahead.values().stream().mapToInt(it -> left(it, from)).min().orElse(0);
    var made = cluster.plan(workloads(known, ahead, from, steps), from, step, question, now);
    var kept =
        KeptStatements.of(
                before.map(CapacityPlanStatus::kept).orElse(List.of()),
                before.map(CapacityPlanStatus::calibration).orElse(null))
            .settled((name, at) -> needed(known, name, at), now)
            .with(made.answer(), question.level());
    return new CapacityPlanStatus(
        now,
        from,
        step.toSeconds(),
        (int) Math.round(question.level() * PERCENT),
        summary(made.answer(), made.workloads()) + horizon(ahead, from, steps),
        made.answer().statements(),
        made.answer().shapes(),
        made.workloads(),
        leftOut == 0 ? null : leftOut,
        kept.kept(),
        kept.written());
  }

  private static OptionalInt needed(Map<String, Known> known, String name, Instant at) {
    return Optional.ofNullable(known.get(name))
        .flatMap(Known::forecast)
        .map(it -> it.needed(at))
        .orElse(OptionalInt.empty());
  }

  private static SortedMap<String, DemandAhead> ahead(Map<String, Known> known) {
    var ahead = new TreeMap<String, DemandAhead>();
    known.forEach((name, it) -> it.forecast().ifPresent(made -> ahead.put(name, made.demand())));
    return ahead;
  }

  /** The oldest forecast ends the plan of all, which is said if it is much shorter than a day. */
  private static String horizon(SortedMap<String, DemandAhead> ahead, Instant from, int steps) {
    if (MOST_STEPS - steps <= USUALLY_LACKING) {
      return "";
    }
    return ahead.entrySet().stream()
        .filter(it -> left(it.getValue(), from) == steps)
        .map(
            it ->
                " The plan ends at %s UTC, as does the last forecast of %s, which was not renewed."
                    .formatted(
                        Wanted.TIME.format(it.getValue().time(it.getValue().steps())), it.getKey()))
        .findFirst()
        .orElse("");
  }

  /** Demands on the steps of the plan, with the dependence of their errors. */
  private List<PlanWorkload> workloads(
      Map<String, Known> known, Map<String, DemandAhead> ahead, Instant from, int steps) {
    var past = new TreeMap<String, Map<Instant, Double>>();
    known.forEach((name, it) -> it.forecast().ifPresent(made -> past.put(name, made.past())));
    var dependence = Dependence.learn(past);
    var workloads = new ArrayList<PlanWorkload>();
    known.forEach(
        (name, it) ->
            workloads.add(
                ahead.containsKey(name)
                    ? with(name, ahead.get(name).window(from, steps), dependence)
                    : PlannedCluster.withProblem(
                        Objects.requireNonNull(described.get(name)),
                        it.problem().orElse("No forecast yet."))));
    return workloads;
  }

  private static int left(DemandAhead demand, Instant from) {
    var end = demand.time(demand.steps());
    return (int) Math.min(MOST_STEPS, Duration.between(from, end).dividedBy(demand.step()));
  }

  private PlanWorkload with(String name, DemandAhead demand, Dependence dependence) {
    var it = Objects.requireNonNull(described.get(name));
    return new PlanWorkload(
        name,
        it.apiVersion(),
        it.kind(),
        it.target(),
        it.leadSeconds(),
        WorkloadPlans.demand(demand),
        WorkloadPlans.bounds(demand),
        dependence.ranks().getOrDefault(name, List.of()),
        null);
  }

  private static String summary(CapacityPlanner.Answer answer, List<PlanWorkload> workloads) {
    long unknown = workloads.stream().filter(it -> it.demand().isEmpty()).count();
    var missing = unknown == 0 ? "" : " (%d without a forecast)".formatted(unknown);
    if (workloads.isEmpty()) {
      return "No service asks for cards.";
    }
    if (unknown == workloads.size()) {
      return "No service has a forecast yet.";
    }
    long known = workloads.size() - unknown;
    return answer.statements().isEmpty()
        ? "All that %s fits%s."
            .formatted(known == 1 ? "1 service needs" : known + " services need", missing)
        : "%d %s%s; first %s"
            .formatted(
                answer.statements().size(),
                answer.statements().size() == 1 ? "shortage" : "shortages",
                missing,
                answer.statements().getFirst().message());
  }
}
