package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ReportedEvent;
import io.prescale.placement.notice.Notice;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notices, evictions and the suspension of Jobs; each takes effect whole or not at all. */
final class ReclaimWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimWriter.class);
  private static final String REPORTER = "prescale-extender";
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int LONGEST_NAME = 230;

  private final KubernetesClient client;

  ReclaimWriter(KubernetesClient client) {
    this.client = client;
  }

  /** How a taking went. */
  enum Outcome {
    DONE,
    /** A PodDisruptionBudget does not allow it now. */
    REFUSED,
    /** It has to be done in another way. */
    IMPOSSIBLE
  }

  /** Writes a pod's notice, or removes it. */
  void notice(PodTerms pod, Optional<Notice> notice) {
    var annotations = new HashMap<String, @Nullable String>();
    annotations.put(PodTerms.AT, notice.map(it -> written(it).toString()).orElse(null));
    annotations.put(PodTerms.FOR, notice.map(Notice::claim).orElse(null));
    patchStatus(pod, annotations);
  }

  /** When a notice runs out as it is written: in whole seconds, never too early. */
  static Instant written(Notice notice) {
    return notice.at().plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Has kube-scheduler try a pod again, so that it asks about it. */
  void ask(PodTerms pod, Instant now) {
    patchStatus(pod, Map.of("gpu.prescale.io/room-seen", now.toString()));
  }

  /** The status, because the right to patch whole pods is a much greater one. */
  private void patchStatus(PodTerms pod, Map<String, ? extends @Nullable String> annotations) {
    client
        .pods()
        .inNamespace(pod.namespace())
        .withName(pod.name())
        .subresource("status")
        .patch(
            MERGE, json(Map.of("metadata", Map.of("uid", pod.uid(), "annotations", annotations))));
  }

  /** Names and annotations are what users write, so that patches are never put together as text. */
  private String json(Map<String, Object> change) {
    return client.getKubernetesSerialization().asJson(change);
  }

  /** Evicts a pod, as PodDisruptionBudgets allow. */
  Outcome evict(PodTerms pod) {
    var eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withNamespace(pod.namespace())
            .withName(pod.name())
            .endMetadata()
            .withDeleteOptions(
                new DeleteOptionsBuilder()
                    .withNewPreconditions()
                    .withUid(pod.uid())
                    .endPreconditions()
                    .build())
            .build();
    var path = "/api/v1/namespaces/%s/pods/%s/eviction".formatted(pod.namespace(), pod.name());
    try {
      client.raw(path, "POST", eviction);
      return Outcome.DONE;
    } catch (KubernetesClientException e) {
      if (e.getCode() == TOO_MANY_REQUESTS) {
        return Outcome.REFUSED;
      }
      throw e;
    }
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

  /** An event of a pod; it explains, so its failure changes nothing. */
  void event(PodTerms pod, String reason, String message, Instant now) {
    event("v1", "Pod", pod.namespace(), pod.name(), pod.uid(), reason, message, now);
  }

  /** An event of a Job. */
  void event(Job job, String reason, String message, Instant now) {
    var meta = job.getMetadata();
    event(
        "batch/v1",
        "Job",
        meta.getNamespace(),
        meta.getName(),
        meta.getUid(),
        reason,
        message,
        now);
  }

  private void event(
      String version,
      String kind,
      String namespace,
      String name,
      String uid,
      String reason,
      String message,
      Instant now) {
    LOG.info("{} {}/{}: {}", kind, namespace, name, message);
    ObjectReference about =
        new ObjectReferenceBuilder()
            .withApiVersion(version)
            .withKind(kind)
            .withNamespace(namespace)
            .withName(name)
            .withUid(uid)
            .build();
    var unique =
        "%s.%08x"
            .formatted(
                name.substring(0, Math.min(name.length(), LONGEST_NAME)), message.hashCode());
    try {
      client
          .v1()
          .events()
          .inNamespace(namespace)
          .resource(
              new ReportedEvent(about, namespace, unique, false, reason, message).by(REPORTER, now))
          .create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        LOG.warn("No event was written for {} {}: {}", kind, name, ApiFailure.text(e));
      }
    }
  }
}
