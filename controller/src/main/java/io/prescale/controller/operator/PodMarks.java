package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleInStatus;
import io.prescale.controller.api.v1alpha1.ScaleTargetRef;
import io.prescale.controller.operator.hpa.TargetReference;
import io.prescale.controller.operator.scalein.ScaleIns;
import java.util.Optional;

/**
 * Removes the marks of pods that a PredictiveHPA no longer scales. Which workload those belong to,
 * its status says, so that it outlives the process.
 */
record PodMarks(Workloads workloads, Neighbourhood neighbourhood, ScaleIns scaleIns) {

  /** The workload that a PredictiveHPA has marked pods of, if it names another one by now. */
  static Optional<ScaleTargetRef> left(PredictiveHPA resource) {
    return marked(resource)
        .filter(
            it ->
                !TargetReference.isSame(
                    SpecReader.target(it), SpecReader.target(resource.getSpec().scaleTargetRef())));
  }

  /**
   * Removes them from the pods of a workload, unless another PredictiveHPA scales it, which sees to
   * them itself.
   *
   * @throws KubernetesClientException when the server cannot be reached
   */
  void remove(PredictiveHPA resource, ScaleTargetRef target, Context<PredictiveHPA> context) {
    if (!neighbourhood.scaleBeside(resource, target, context)
        && workloads.read(resource, target) instanceof ScaleTargets.Found workload) {
      workloads.podsNow(resource, workload, page -> scaleIns.release(resource, page));
    }
  }

  /** The same for all that it may have marked: it is deleted. */
  void removeAll(PredictiveHPA resource, Context<PredictiveHPA> context) {
    if (resource.unreadable().isPresent()) {
      return;
    }
    left(resource).ifPresent(it -> remove(resource, it, context));
    if (resource.getSpec().marksIdlestPods() || marked(resource).isPresent()) {
      remove(resource, resource.getSpec().scaleTargetRef(), context);
    }
  }

  /** The same for those that its status says it has marked, and for no others. */
  void removeMarked(PredictiveHPA resource, Context<PredictiveHPA> context) {
    marked(resource).ifPresent(it -> remove(resource, it, context));
  }

  private static Optional<ScaleTargetRef> marked(PredictiveHPA resource) {
    var status = resource.getStatus();
    return Optional.ofNullable(status == null ? null : status.scaleIn()).map(ScaleInStatus::marked);
  }
}
