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
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notices, evictions and the suspension of Jobs, each in one request. */
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
    var at =
        notice.map(it -> quoted(it.at().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1).toString()));
    patchStatus(
        pod,
        "\"%s\":%s,\"%s\":%s"
            .formatted(
                PodTerms.AT,
                at.orElse("null"),
                PodTerms.FOR,
                notice.map(it -> quoted(it.claim())).orElse("null")));
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  /** Has kube-scheduler try a pod again, so that it asks about it. */
  void ask(PodTerms pod, Instant now) {
    patchStatus(pod, "\"gpu.prescale.io/room-seen\":\"%s\"".formatted(now));
  }

  /** The status, because the right to patch whole pods is a much greater one. */
  private void patchStatus(PodTerms pod, String annotations) {
    client
        .pods()
        .inNamespace(pod.namespace())
        .withName(pod.name())
        .subresource("status")
        .patch(
            MERGE,
            "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{%s}}}"
                .formatted(pod.uid(), annotations));
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
   * Suspends a Job, unless another controller owns it, which would resume it.
   *
   * @param pods how many of its pods lose their cards
   */
  Outcome suspend(String namespace, String name, int pods, Instant now) {
    var job = client.batch().v1().jobs().inNamespace(namespace).withName(name).get();
    if (job == null || !isOwnMaster(job)) {
      return Outcome.IMPOSSIBLE;
    }
    if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
      return Outcome.DONE;
    }
    patch(
        job,
        """
        {"metadata":{"uid":"%s","resourceVersion":"%s","labels":{"%s":"true"},
        "annotations":{"%s":"%s","%s":"%d"}},"spec":{"suspend":true}}\
        """
            .formatted(
                job.getMetadata().getUid(),
                job.getMetadata().getResourceVersion(),
                SuspendedJobs.LABEL,
                SuspendedJobs.AT,
                now.truncatedTo(ChronoUnit.SECONDS),
                SuspendedJobs.PODS,
                pods));
    return Outcome.DONE;
  }

  private static boolean isOwnMaster(Job job) {
    boolean isManaged = job.getSpec().getManagedBy() != null;
    return !isManaged
        && job.getMetadata().getOwnerReferences().stream()
            .filter(owner -> Boolean.TRUE.equals(owner.getController()))
            .allMatch(owner -> "CronJob".equals(owner.getKind()));
  }

  /** Lets a Job go on, and removes what says that it was suspended. */
  void resume(Job job) {
    patch(
        job,
        """
        {"metadata":{"uid":"%s","resourceVersion":"%s","labels":{"%s":null},
        "annotations":{"%s":null,"%s":null}},"spec":{"suspend":false}}\
        """
            .formatted(
                job.getMetadata().getUid(),
                job.getMetadata().getResourceVersion(),
                SuspendedJobs.LABEL,
                SuspendedJobs.AT,
                SuspendedJobs.PODS));
  }

  private void patch(Job job, String change) {
    client
        .batch()
        .v1()
        .jobs()
        .inNamespace(job.getMetadata().getNamespace())
        .withName(job.getMetadata().getName())
        .patch(MERGE, change);
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
