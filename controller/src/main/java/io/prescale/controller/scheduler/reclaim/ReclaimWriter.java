package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.placement.notice.Notice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes notices and the suspension of workloads; each takes effect whole or not at all. */
final class ReclaimWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimWriter.class);
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
    /** The pods have to be evicted instead. */
    IMPOSSIBLE,
    /** So do they, because the workload's controller leaves them though it is suspended. */
    IGNORED
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
   * Suspends a workload, unless another controller suspends and resumes it, or its own would leave
   * the pods.
   *
   * @param context of its kind in the version that is used
   * @param pods those that lose their cards
   */
  Outcome suspend(
      Suspendable workload, ResourceDefinitionContext context, SuspendedPods pods, Instant now) {
    var kind = workload.kind();
    var object = named(context, workload).get();
    if (object == null
        || !workload.uid().equals(object.getMetadata().getUid())
        || !kind.mayBeSuspended(object)
        || kind.isOver(object)) {
      return Outcome.IMPOSSIBLE;
    }
    if (kind.isSuspended(object)) {
      return isRecent(SuspendedWorkloads.since(object), now) ? Outcome.DONE : Outcome.IGNORED;
    }
    var marks = new Marks("true", now.truncatedTo(ChronoUnit.SECONDS).toString(), pods.text());
    try {
      patch(object, context, marks, kind.change(true));
    } catch (KubernetesClientException e) {
      if (ApiFailure.isLasting(e)) {
        LOG.warn("{} is not suspended: {}", workload.key(), ApiFailure.text(e));
        return Outcome.IMPOSSIBLE;
      }
      throw e;
    }
    return Outcome.DONE;
  }

  /** Of one that its owner has suspended it is not known since when. */
  private static boolean isRecent(Instant suspended, Instant now) {
    return Duration.between(suspended, now).abs().compareTo(ProtectedPods.UNTIL_OTHERS) < 0;
  }

  private Resource<GenericKubernetesResource> named(
      ResourceDefinitionContext context, Suspendable workload) {
    return client
        .genericKubernetesResources(context)
        .inNamespace(workload.namespace())
        .withName(workload.name());
  }

  /** Lets a workload go on, and removes what says that it was suspended. */
  void resume(SuspendedWorkloads.Marked marked) {
    patch(marked.object(), marked.context(), Marks.NONE, marked.workload().kind().change(false));
  }

  /** Removes what says that a workload was suspended, and leaves it as it is. */
  void unmark(SuspendedWorkloads.Marked marked) {
    patch(marked.object(), marked.context(), Marks.NONE, Map.of());
  }

  /** What says that a workload was suspended, and nothing where that is removed. */
  private record Marks(@Nullable String label, @Nullable String at, @Nullable String pods) {
    static final Marks NONE = new Marks(null, null, null);

    Map<String, @Nullable String> annotations() {
      var annotations = new HashMap<String, @Nullable String>();
      annotations.put(SuspendedWorkloads.AT, at);
      annotations.put(SuspendedWorkloads.PODS, pods);
      return annotations;
    }
  }

  /** Only of the version that was read. */
  private void patch(
      GenericKubernetesResource object,
      ResourceDefinitionContext context,
      Marks marks,
      Map<String, Object> spec) {
    var labels = new HashMap<String, @Nullable String>();
    labels.put(SuspendedWorkloads.LABEL, marks.label());
    var meta = object.getMetadata();
    var change = new HashMap<String, Object>(spec);
    change.put(
        "metadata",
        Map.of(
            "uid", meta.getUid(),
            "resourceVersion", meta.getResourceVersion(),
            "labels", labels,
            "annotations", marks.annotations()));
    client
        .genericKubernetesResources(context)
        .inNamespace(meta.getNamespace())
        .withName(meta.getName())
        .patch(MERGE, json(change));
  }

  /** An event of a workload. */
  void event(SuspendedWorkloads.Marked marked, String reason, String message, Instant now) {
    var meta = marked.object().getMetadata();
    var about =
        new ObjectReferenceBuilder()
            .withApiVersion(marked.object().getApiVersion())
            .withKind(marked.workload().kind().kind())
            .withNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withUid(meta.getUid())
            .build();
    pods.event(about, reason, message, now);
  }
}
