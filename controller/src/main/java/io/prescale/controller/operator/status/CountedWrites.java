package io.prescale.controller.operator.status;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.fairness.WriteTurns;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.telemetry.Telemetry.Outcome;
import io.prescale.controller.telemetry.Telemetry.Write;

/**
 * Writes to the API server, counted by how they ended.
 *
 * @param turns of all writes, so that thousands of PredictiveHPAs that begin, or change, at the
 *     same time are no burst of as many
 */
public record CountedWrites(Telemetry telemetry, WriteTurns turns) {
  /** An HPA is what scales; statuses come after it. */
  private static final int TURNS_FOR_HPAS = 16;

  /**
   * Runs a write that cannot wait, and counts it.
   *
   * @throws KubernetesClientException as the write does
   */
  public void run(Write kind, Runnable write) {
    turns.count();
    attempt(kind, write);
  }

  /**
   * Runs a write, and counts it, if its namespace has a turn now.
   *
   * @return whether it ran
   * @throws KubernetesClientException as the write does
   */
  public boolean runInTurn(Write kind, String namespace, Runnable write) {
    if (!turns.take(namespace, kind == Write.HPA ? 0 : TURNS_FOR_HPAS)) {
      return false;
    }
    attempt(kind, write);
    return true;
  }

  private void attempt(Write kind, Runnable write) {
    try {
      write.run();
      telemetry.wrote(kind, Outcome.OK);
    } catch (KubernetesClientException e) {
      telemetry.wrote(kind, ApiFailure.isConflict(e) ? Outcome.CONFLICT : Outcome.FAILED);
      throw e;
    }
  }
}
