package io.prescale.controller.operator.status;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.telemetry.Telemetry.Outcome;
import io.prescale.controller.telemetry.Telemetry.Write;

/** Writes to the API server, counted by how they ended. */
public record CountedWrites(Telemetry telemetry) {
  /**
   * Runs one write, and counts it.
   *
   * @throws KubernetesClientException as the write does
   */
  public void run(Write kind, Runnable write) {
    try {
      write.run();
      telemetry.wrote(kind, Outcome.OK);
    } catch (KubernetesClientException e) {
      telemetry.wrote(kind, ApiFailure.isConflict(e) ? Outcome.CONFLICT : Outcome.FAILED);
      throw e;
    }
  }
}
