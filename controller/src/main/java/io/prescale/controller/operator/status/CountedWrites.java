package io.prescale.controller.operator.status;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.fairness.WriteTurns.Urgency;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.telemetry.Telemetry.Outcome;
import io.prescale.controller.telemetry.Telemetry.Write;

/**
 * The control loop's writes to the API server, counted by how they ended.
 *
 * @param turns that they take, so that thousands of PredictiveHPAs that begin, or change, at the
 *     same time are no burst of as many writes
 */
public record CountedWrites(Telemetry telemetry, WriteTurns turns) {
  /** Whether a write may be made now; it takes the turn that {@link #runInTurn} uses. */
  public boolean takeTurn(String namespace, Urgency urgency) {
    return turns.take(namespace, urgency);
  }

  /**
   * Runs a write that has its turn, and counts it.
   *
   * @throws KubernetesClientException as the write does
   */
  public void runInTurn(Write kind, Runnable write) {
    try {
      write.run();
      telemetry.wrote(kind, Outcome.OK);
    } catch (KubernetesClientException e) {
      telemetry.wrote(kind, ApiFailure.isConflict(e) ? Outcome.CONFLICT : Outcome.FAILED);
      throw e;
    }
  }

  /**
   * Runs a write that cannot wait for a turn, and counts it.
   *
   * @throws KubernetesClientException as the write does
   */
  public void runAtOnce(Write kind, String namespace, Runnable write) {
    takeTurn(namespace, Urgency.AT_ONCE);
    runInTurn(kind, write);
  }
}
