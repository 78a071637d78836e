package io.prescale.controller.plan.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.CapacityPlanStatus;
import io.prescale.controller.api.v1alpha1.PlanWorkload;
import io.prescale.controller.plan.cluster.CapacityPlanner.Answer;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster at one moment, and the workloads of a plan in it.
 *
 * @param targets the objects that are scaled, by the name of the workload; others are unknown
 */
public record PlannedCluster(
    ClusterObjects objects, List<Job> jobs, Map<String, HasMetadata> targets) {
  public PlannedCluster {
    jobs = List.copyOf(jobs);
    targets = Map.copyOf(targets);
  }

  /** A plan, and the workloads with why nothing is planned for some. */
  public record Made(Answer answer, List<PlanWorkload> workloads) {}

  /** Reads it from the API server, and changes nothing. */
  public static PlannedCluster read(KubernetesClient client, List<PlanWorkload> workloads) {
    var targets = new HashMap<String, HasMetadata>();
    for (var each : workloads) {
      known(client, each).ifPresent(it -> targets.put(each.name(), it));
    }
    return new PlannedCluster(ClusterObjects.read(client), jobs(client), targets);
  }

  /** A target that cannot be read, such as one of a kind that is not served, stops no other. */
  private static Optional<HasMetadata> known(KubernetesClient client, PlanWorkload workload) {
    try {
      return target(client, workload);
    } catch (KubernetesClientException _) {
      return Optional.empty();
    }
  }

  /** Without the right to read Jobs, their ends are unknown. */
  private static List<Job> jobs(KubernetesClient client) {
    try {
      return client.batch().v1().jobs().inAnyNamespace().list().getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return List.of();
      }
      throw e;
    }
  }

  /** The object that is scaled; empty if it is of a kind that is not read, or is gone. */
  public static Optional<HasMetadata> target(KubernetesClient client, PlanWorkload workload) {
    var namespace = workload.name().split("/", 2)[0];
    var name = workload.target();
    var kind = workload.kind();
    if (name == null || kind == null) {
      return Optional.empty();
    }
    @Nullable HasMetadata found =
        switch (kind) {
          case "Deployment" ->
              client.apps().deployments().inNamespace(namespace).withName(name).get();
          case "StatefulSet" ->
              client.apps().statefulSets().inNamespace(namespace).withName(name).get();
          case "ReplicaSet" ->
              client.apps().replicaSets().inNamespace(namespace).withName(name).get();
          case "LeaderWorkerSet" ->
              client
                  .genericKubernetesResources(String.valueOf(workload.apiVersion()), kind)
                  .inNamespace(namespace)
                  .withName(name)
                  .get();
          default -> null;
        };
    return Optional.ofNullable(found);
  }

  /** Whether a replica asks for cards; not when the target is unknown. */
  public boolean asksForCards(String workload, Instant now) {
    return pods(workload, now).filter(it -> CardParts.areAskedFor(it.one())).isPresent();
  }

  /**
   * The pods of a workload; empty when its target is unknown.
   *
   * @throws IllegalArgumentException with a sentence, when it lacks what pods are made of
   */
  public Optional<ReplicaPods> pods(String workload, Instant now) {
    return Optional.ofNullable(targets.get(workload))
        .flatMap(it -> ReplicaPods.of(it, objects, now));
  }

  /**
   * Plans. A workload that makes no sense has a problem, and does not stop the others.
   *
   * @param from beginning of the first step
   * @throws IllegalArgumentException with a sentence, when the question makes no sense here
   */
  public Made plan(
      List<PlanWorkload> workloads,
      Instant from,
      Duration step,
      PlanQuestion question,
      Instant now) {
    var services = new ArrayList<Service>();
    var reported = new ArrayList<PlanWorkload>();
    for (var each : workloads) {
      try {
        if (!each.demand().isEmpty()) {
          var service = service(each, from, step, now);
          requireSteps(service, services);
          services.add(service);
        }
        reported.add(each);
      } catch (IllegalArgumentException e) {
        reported.add(withProblem(each, String.valueOf(e.getMessage())));
      }
    }
    var dependence = WorkloadPlans.dependence(reported);
    var ends = DeclaredEnds.of(objects.of(Pod.class), jobs, now);
    var answer = CapacityPlanner.plan(objects, ends, services, dependence, question, now);
    return new Made(answer, reported);
  }

  /**
   * The answer to another question, by the demands that a plan carries.
   *
   * @throws IllegalArgumentException with a sentence, when the question or the demands make no
   *     sense
   */
  public CapacityPlanStatus answered(
      CapacityPlanStatus status, PlanQuestion question, Instant now) {
    var from = Objects.requireNonNull(status.from());
    var step = Duration.ofSeconds(Objects.requireNonNull(status.stepSeconds()));
    var made = plan(status.workloads(), from, step, question, now);
    return new CapacityPlanStatus(
        status.madeAt(),
        from,
        status.stepSeconds(),
        (int) Math.round(question.level() * 100),
        null,
        made.answer().statements(),
        made.answer().shapes(),
        made.workloads(),
        status.leftOut(),
        status.kept(),
        status.calibration());
  }

  private static void requireSteps(Service service, List<Service> others) {
    int steps = service.demand().steps();
    if (others.stream().anyMatch(it -> it.demand().steps() != steps)) {
      throw new IllegalArgumentException("its demand has other steps than that of others");
    }
  }

  private Service service(PlanWorkload workload, Instant from, Duration step, Instant now) {
    var pods =
        pods(workload.name(), now)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s %s is not there, or of a kind that is not planned for"
                            .formatted(workload.kind(), workload.target())));
    var lead = Duration.ofSeconds(workload.leadSeconds() == null ? 0 : workload.leadSeconds());
    return new Service(workload.name(), WorkloadPlans.read(workload, from, step), lead, pods);
  }

  /** A workload for which nothing is planned. */
  public static PlanWorkload withProblem(PlanWorkload workload, String problem) {
    return new PlanWorkload(
        workload.name(),
        workload.apiVersion(),
        workload.kind(),
        workload.target(),
        workload.leadSeconds(),
        List.of(),
        List.of(),
        List.of(),
        problem);
  }
}
