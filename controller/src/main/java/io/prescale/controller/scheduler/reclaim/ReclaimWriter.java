package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.placement.notice.Notice;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes notices and the suspension of Jobs; each takes effect whole or not at all. */
final class ReclaimWriter {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final KubernetesClient client;
  private final PodWriter pods;

  ReclaimWriter(KubernetesClient client) {
    this.client = client;
    pods = new PodWriter(client);
  }

  /** Writes about single pods. */
  PodWriter pods() {
    return pods;
  }

  /** How a suspension went. */
  enum Outcome {
    DONE,
    /** It has to be done in another way. */
    IMPOSSIBLE
  }

  /** Writes a pod's notice, or removes it. */
  void notice(PodTerms pod, Optional<Notice> notice) {
    var annotations = new HashMap<String, @Nullable String>();
    annotations.put(
        PodTerms.AT, notice.map(it -> PodWriter.written(it.at()).toString()).orElse(null));
    annotations.put(PodTerms.FOR, notice.map(Notice::claim).orElse(null));
    pods.annotate(pod, annotations);
  }

  /** Has kube-scheduler try a pod again, so that it asks about it. */
  void ask(PodTerms pod, Instant now) {
    pods.annotate(pod, Map.of("gpu.prescale.io/room-seen", now.toString()));
  }

  /** Names and annotations are what users write, so that patches are never put together as text. */
  private String json(Map<String, Object> change) {
    return client.getKubernetesSerialization().asJson(change);
  }

  /**
   * Suspends a Job, unless another controller suspends and resumes it.
   *
   * @param pods how many of its pods lose their cards
   */
  Outcome suspend(String namespace, String name, int pods, Instant now) {
    var job = client.batch().v1().jobs().inNamespace(namespace).withName(name).get();
    if (job == null || SuspendedJobs.isOfOthers(job)) {
      return Outcome.IMPOSSIBLE;
    }
    if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
      return Outcome.DONE;
    }
    var marks =
        new Marks("true", now.truncatedTo(ChronoUnit.SECONDS).toString(), Integer.toString(pods));
    patch(job, marks, Map.of("spec", Map.of("suspend", true)));
    return Outcome.DONE;
  }

  /** Lets a Job go on, and removes what says that it was suspended. */
  void resume(Job job) {
    patch(job, Marks.NONE, Map.of("spec", Map.of("suspend", false)));
  }

  /** Removes what says that a Job was suspended, and leaves it as it is. */
  void unmark(Job job) {
    patch(job, Marks.NONE, Map.of());
  }

  /** What says that a Job was suspended, and nothing where that is removed. */
  private record Marks(@Nullable String label, @Nullable String at, @Nullable String pods) {
    static final Marks NONE = new Marks(null, null, null);

    Map<String, @Nullable String> annotations() {
      var annotations = new HashMap<String, @Nullable String>();
      annotations.put(SuspendedJobs.AT, at);
      annotations.put(SuspendedJobs.PODS, pods);
      return annotations;
    }
  }

  /** Only of the version that was read. */
  private void patch(Job job, Marks marks, Map<String, Object> spec) {
    var labels = new HashMap<String, @Nullable String>();
    labels.put(SuspendedJobs.LABEL, marks.label());
    var meta = job.getMetadata();
    var change = new HashMap<String, Object>(spec);
    change.put(
        "metadata",
        Map.of(
            "uid", meta.getUid(),
            "resourceVersion", meta.getResourceVersion(),
            "labels", labels,
            "annotations", marks.annotations()));
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(meta.getNamespace())
        .withName(meta.getName())
        .patch(MERGE, json(change));
  }

  /** An event of a Job. */
  void event(Job job, String reason, String message, Instant now) {
    var meta = job.getMetadata();
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion("batch/v1")
            .withKind("Job")
            .withNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withUid(meta.getUid())
            .build();
    pods.event(about, reason, message, now);
  }
}
