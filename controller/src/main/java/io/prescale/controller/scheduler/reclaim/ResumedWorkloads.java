package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/** Lets suspended workloads go on, and says which the API server refuses. Not thread-safe. */
final class ResumedWorkloads {
  private final ReclaimWriter writer;
  private final SuspendedWorkloads suspended;

  /** Keys of the workloads. */
  private final Set<String> refused = new HashSet<>();

  ResumedWorkloads(ReclaimWriter writer, SuspendedWorkloads suspended) {
    this.writer = writer;
    this.suspended = suspended;
  }

  /** Lets one go on; returns whether there is one. */
  boolean resume(String workload, Instant now) {
    var found = suspended.find(workload);
    found.ifPresent(
        it -> {
          resume(it, now);
          refused.remove(workload);
          writer.event(it, "ReclaimResumed", "There is room again; it goes on.", now);
        });
    return found.isPresent();
  }

  /**
   * What refuses it once, such as a webhook that changes more in the same update, does so again.
   */
  private void resume(SuspendedWorkloads.Marked marked, Instant now) {
    try {
      writer.resume(marked);
    } catch (KubernetesClientException e) {
      if (ApiFailure.isLasting(e) && refused.add(marked.workload().key())) {
        writer.event(
            marked,
            "ReclaimResumeRefused",
            "It may go on and stays suspended; it is tried again: " + ApiFailure.text(e),
            now);
      }
      throw e;
    }
  }

  /** How many the API server last refused to resume. */
  int refused() {
    refused.removeIf(it -> suspended.find(it).isEmpty());
    return refused.size();
  }
}
