package io.prescale.controller.operator.scalein;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.Mode;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleInReason;
import io.prescale.controller.api.v1alpha1.ScaleInStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.autoscaling.CycleResult;
import io.prescale.controller.autoscaling.HpaRules;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.operator.scalein.NextToGo.Write;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.telemetry.Telemetry;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Marks the pods that a scale-in is to remove first, and removes the marks again. Thread-safe. */
public final class ScaleIns {
  /** Writes to pods in a minute, of all workloads and of one. */
  private static final int MOST_OF_ALL = 120;

  private static final int MOST_OF_ONE = 30;

  private final DeletionCosts costs;
  private final Predicate<PredictiveHPA> leads;
  private final CountedWrites writes;
  private final WriteBudget budget = new WriteBudget(MOST_OF_ALL, MOST_OF_ONE);

  /**
   * @param leads whether this replica may write for a PredictiveHPA
   */
  public ScaleIns(KubernetesClient client, Predicate<PredictiveHPA> leads, CountedWrites writes) {
    this.costs = new DeletionCosts(client);
    this.leads = leads;
    this.writes = writes;
  }

  /** Whether the work of each pod is needed. */
  public static boolean needsWork(PredictiveHPA resource) {
    return resource.getSpec().marksIdlestPods() && resource.getSpec().mode() == Mode.Active;
  }

  /**
   * Marks the pods that are to go first, as far as the minute's writes go.
   *
   * @param serving pods of the workload
   * @param wanted replicas that the workload is to have now
   * @return what to report; empty where it is not wanted
   */
  public Optional<ScaleInStatus> mark(
      PredictiveHPA resource,
      List<Pod> serving,
      int wanted,
      CycleResult result,
      Work work,
      Instant now) {
    var pods = candidates(serving, work);
    var target = resource.getSpec().scaleTargetRef();
    if (!needsWork(resource)) {
      var left = NextToGo.removed(pods, Instant.MAX);
      var _ = carryOut(resource, left, budgetOf(resource, now));
      return resource.getSpec().marksIdlestPods()
          ? status(
              ScaleInReason.ShadowMode,
              "Shadow mode marks no pods.",
              left.isEmpty() ? null : target)
          : Optional.empty();
    }
    boolean isKnown = work instanceof Work.Known; // or marks stand for a while as they are
    int leaving = isKnown ? leaving(wanted, resource.getSpec().minReplicas(), result) : 0;
    return carryOut(resource, NextToGo.writes(pods, leaving, now), budgetOf(resource, now))
        .map(failure -> new ScaleInStatus(ScaleInReason.Refused, refusal(failure), target))
        .or(() -> found(pods, work, leaving, target));
  }

  /**
   * Removes all marks at once, a hundred at most: the PredictiveHPA leaves the workload.
   *
   * @throws KubernetesClientException when it is worth another attempt
   */
  public void release(PredictiveHPA resource, List<Pod> pods) {
    var marked = NextToGo.removed(candidates(pods, new Work.NotAsked()), Instant.MAX);
    var failure = carryOut(resource, marked, () -> true);
    if (failure.filter(it -> !ApiFailure.isLasting(it)).isPresent()) {
      throw failure.get();
    }
  }

  private BooleanSupplier budgetOf(PredictiveHPA resource, Instant now) {
    var meta = resource.getMetadata();
    return () -> budget.spend(meta.getNamespace(), meta.getUid(), now);
  }

  /**
   * How many replicas could go before the next ones are decided on: fewer are asked for already, or
   * even the 99 % quantile of the forecast, one lead time ahead, needs fewer.
   */
  static int leaving(int wanted, int minReplicas, CycleResult result) {
    int desired = result.desiredReplicas().orElse(wanted);
    int ahead =
        result
            .explanation()
            .flatMap(
                it ->
                    it.forecast().map(f -> HpaRules.replicasFor(f.p99(), it.capacityPerReplica())))
            .orElse(wanted);
    return Math.max(0, wanted - Math.min(desired, Math.max(ahead, minReplicas)));
  }

  private static List<Candidate> candidates(List<Pod> pods, Work work) {
    return pods.stream()
        .filter(pod -> !DeletionCosts.isAnothers(pod))
        .map(
            pod -> {
              var name = pod.getMetadata().getName();
              return new Candidate(
                  name,
                  pod.getMetadata().getUid(),
                  work instanceof Work.Known known ? known.of(name) : OptionalDouble.empty(),
                  DeletionCosts.mark(pod));
            })
        .toList();
  }

  /** Gives the failure that ended the round. */
  private Optional<KubernetesClientException> carryOut(
      PredictiveHPA resource, List<Write> wanted, BooleanSupplier mayWrite) {
    var namespace = resource.getMetadata().getNamespace();
    for (Write write : wanted) {
      if (!leads.test(resource) || !mayWrite.getAsBoolean()) {
        break;
      }
      try {
        writes.runAtOnce(
            Telemetry.Write.DELETION_COST,
            namespace,
            () -> costs.write(namespace, write.pod(), write.cost()));
      } catch (KubernetesClientException e) {
        if (!ApiFailure.isConflict(e) && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
          return Optional.of(e);
        } // else the pod is gone, or its cost has become another's
      }
    }
    return Optional.empty();
  }

  private static String refusal(KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        ? "Prescale may not mark pods; set deletionCosts.enabled of the chart. The API server said:"
            + " "
            + ApiFailure.text(e)
        : "The API server refuses to mark pods: " + ApiFailure.text(e);
  }

  private static Optional<ScaleInStatus> found(
      List<Candidate> pods, Work work, int leaving, ScaleTargetRef target) {
    if (work instanceof Work.Unknown(var why)) {
      return status(ScaleInReason.WorkUnknown, "No pod is marked anew: " + why, target);
    }
    if (leaving == 0) {
      return status(ScaleInReason.NoScaleInNear, "No scale-in is near.", target);
    }
    long known = pods.stream().filter(Candidate::isKnown).count();
    if (known == 0) {
      return status(
          ScaleInReason.WorkUnknown,
          "The work of none of %d serving pods is known; look whether the label pod has their names."
              .formatted(pods.size()),
          target);
    }
    return status(
        ScaleInReason.Marked,
        "%d of %d serving pods could go; those with the least work go first (known of %d)."
            .formatted(Math.min(leaving, pods.size()), pods.size(), known),
        target);
  }

  private static Optional<ScaleInStatus> status(
      ScaleInReason reason, String message, @Nullable ScaleTargetRef marked) {
    return Optional.of(new ScaleInStatus(reason, message, marked));
  }
}
