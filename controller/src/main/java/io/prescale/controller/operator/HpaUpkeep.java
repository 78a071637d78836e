package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ApiServerFaults;
import io.prescale.controller.fairness.WriteTurns.Urgency;
import io.prescale.controller.operator.hpa.Contest;
import io.prescale.controller.operator.hpa.HpaPlan;
import io.prescale.controller.operator.hpa.HpaPlan.Apply;
import io.prescale.controller.operator.hpa.HpaWriter;
import io.prescale.controller.operator.status.Conditions;
import io.prescale.controller.operator.status.Conditions.Finding;
import io.prescale.controller.operator.status.CountedWrites;
import io.prescale.controller.telemetry.Telemetry.Write;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out an {@link HpaPlan}, for as long as this replica works on the PredictiveHPA. */
final class HpaUpkeep {
  private static final Logger LOG = LoggerFactory.getLogger(HpaUpkeep.class);

  private final ApiServerFaults faults =
      new ApiServerFaults("HPAs cannot be written", "HPAs are written again");
  private final HpaWriter writer;
  private final Predicate<PredictiveHPA> leads;
  private final CountedWrites writes;

  HpaUpkeep(KubernetesClient client, Predicate<PredictiveHPA> leads, CountedWrites writes) {
    this.writer = new HpaWriter(client);
    this.leads = leads;
    this.writes = writes;
  }

  /**
   * Carries out a plan. An HPA is applied only once there is a value for it to read. A plan that
   * applies one waits for its turn as a whole, or the target would be without in between.
   *
   * @return why not all is written
   * @throws KubernetesClientException when the HPA changed at the same moment
   */
  Optional<Finding> carryOut(
      PredictiveHPA resource, HpaPlan plan, Contest contest, boolean valueKnown, Instant now) {
    var namespace = resource.getMetadata().getNamespace();
    var steps =
        plan.steps().stream()
            .filter(
                it -> !(it instanceof Apply apply) || (valueKnown && contest.mayApply(apply, now)))
            .toList();
    var applied = steps.stream().filter(Apply.class::isInstance).map(Apply.class::cast).findFirst();
    if (applied.isPresent() && leads.test(resource) && !writes.takeTurn(namespace, Urgency.HIGH)) {
      var hpa = applied.get().desired().getMetadata().getName();
      return Optional.of(Conditions.hpaWaits(hpa));
    }
    try {
      for (var step : steps) {
        if (!leads.test(resource)) {
          return Optional.empty();
        }
        if (step instanceof Apply apply) {
          writes.runInTurn(Write.HPA, () -> writer.write(apply));
          contest.applied(apply, now);
        } else {
          write(namespace, step);
        }
      }
      faults.succeeded(resource.qualifiedName(), now).ifPresent(LOG::info);
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (ApiFailure.isConflict(e)) {
        throw e;
      }
      faults.failed(resource.qualifiedName(), e, now).ifPresent(LOG::warn);
      var said = ApiFailure.text(e);
      return Optional.of(Conditions.hpaNotWritten(resource.getSpec().minReplicas(), said));
    }
  }

  /**
   * Carries out one step, which cannot wait.
   *
   * @throws KubernetesClientException when the server refuses or cannot be reached
   */
  void write(String namespace, HpaPlan.Step step) {
    writes.runAtOnce(Write.HPA, namespace, () -> writer.write(step));
  }
}
