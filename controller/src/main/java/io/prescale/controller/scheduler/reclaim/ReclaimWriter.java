package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.controller.scheduler.evictions.PodWriter;
import io.prescale.controller.scheduler.evictions.ProtectedPods;
import io.prescale.placement.notice.Notice;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes notices, and suspends workloads or scales them down; each takes effect whole or not at
 * all.
 */
final class ReclaimWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ReclaimWriter.class);

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

  /** How a suspension went, or a scaling down. */
  enum Outcome {
    DONE,
    /** The pods have to be evicted instead. */
    IMPOSSIBLE,
    /** So do they, because the workload's controller leaves them though it is suspended. */
    IGNORED,
    /** So do they, because a HorizontalPodAutoscaler would undo it. */
    AUTOSCALED
  }

  /** Writes a pod's notice, or removes it, and with it that the pod is the first to go. */
  void notice(PodTerms pod, Optional<Notice> notice) {
    var annotations = new HashMap<String, @Nullable String>();
    annotations.put(
        PodTerms.AT, notice.map(it -> PodWriter.written(it.at()).toString()).orElse(null));
    annotations.put(PodTerms.FOR, notice.map(Notice::claim).orElse(null));
    if (notice.isEmpty() && pod.mayBeFirstToGo()) {
      annotations.put(PodTerms.DELETION_COST, null);
    }
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
    return unlessRefused(
        workload,
        () -> {
          patch(object, context, Marks.of(pods, now), kind.suspension());
          return Outcome.DONE;
        });
  }

  private static Outcome unlessRefused(Suspendable workload, Supplier<Outcome> write) {
    try {
      return write.get();
    } catch (KubernetesClientException e) {
      if (ApiFailure.isLasting(e)) {
        LOG.warn("{} is not paused: {}", workload.key(), ApiFailure.text(e));
        return Outcome.IMPOSSIBLE;
      }
      throw e;
    }
  }

  /**
   * Scales a workload down, unless something else scales it or its own templates do not allow it:
   * what its pods say, others may write. The number and what it was before are one write; that its
   * pods with the least deletion cost go first is written before.
   *
   * @param left replicas that it keeps of those that it is to have; empty if that is no way for the
   *     victims to leave
   * @param victims that are to leave
   * @param pods what those asked for
   */
  Outcome shrink(
      Suspendable workload,
      ResourceDefinitionContext context,
      IntFunction<OptionalInt> left,
      List<PodTerms> victims,
      SuspendedPods pods,
      Instant now) {
    var object = named(context, workload).get();
    if (object == null
        || !workload.uid().equals(object.getMetadata().getUid())
        || !workload.kind().mayBeSuspended(object)
        || ScaledReplicas.isRollingOut(object)) {
      return Outcome.IMPOSSIBLE;
    }
    int wanted = ScaledReplicas.wanted(object);
    int kept = left.apply(wanted).orElse(-1);
    if (kept < Elasticity.declared(object).orElse(Integer.MAX_VALUE)) {
      return Outcome.IMPOSSIBLE;
    }
    if (wanted <= kept) {
      boolean isWaitedFor =
          !ScaledReplicas.isReached(object) && isRecent(SuspendedWorkloads.since(object), now);
      return isWaitedFor ? Outcome.DONE : Outcome.IGNORED;
    }
    return unlessRefused(
        workload,
        () -> {
          if (isAutoscaled(workload)) {
            return Outcome.AUTOSCALED;
          }
          victims.forEach(pod -> this.pods.annotate(pod, PodTerms.FIRST_TO_GO));
          var marks = Marks.of(object, kept, pods, now);
          patch(object, context, marks, ScaledReplicas.replicas(kept));
          return Outcome.DONE;
        });
  }

  private boolean isAutoscaled(Suspendable workload) {
    return client
        .autoscaling()
        .v2()
        .horizontalPodAutoscalers()
        .inNamespace(workload.namespace())
        .list()
        .getItems()
        .stream()
        .map(hpa -> hpa.getSpec().getScaleTargetRef())
        .anyMatch(
            target ->
                target.getKind().equals(workload.kind().kind())
                    && target.getName().equals(workload.name()));
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
    patch(
        marked.object(),
        marked.context(),
        Marks.NONE,
        marked.workload().kind().resumption(marked.object()));
  }

  /**
   * Removes what says that a workload was suspended, and leaves it as it is; one that is scaled
   * down has its replicas again, since those to whom it belongs now do not know of them.
   */
  void unmark(SuspendedWorkloads.Marked marked) {
    var scaled =
        Optional.of(marked.object())
            .filter(_ -> marked.workload().kind().isElastic())
            .flatMap(ScaledReplicas::of);
    var undone = scaled.map(ScaledReplicas::undone).orElse(Map.of());
    patch(marked.object(), marked.context(), Marks.NONE, undone);
  }

  /** What says that a workload was suspended or scaled down, and nothing where that is removed. */
  private record Marks(@Nullable String label, Map<String, @Nullable String> annotations) {
    static final Marks NONE = new Marks(null, nothing());

    private static Map<String, @Nullable String> nothing() {
      var annotations = new HashMap<String, @Nullable String>();
      Stream.of(
              SuspendedWorkloads.AT,
              SuspendedWorkloads.PODS,
              ScaledReplicas.BEFORE,
              ScaledReplicas.LEFT)
          .forEach(key -> annotations.put(key, null));
      return annotations;
    }

    static Marks of(SuspendedPods pods, Instant now) {
      var at = now.truncatedTo(ChronoUnit.SECONDS).toString();
      return new Marks(
          "true", Map.of(SuspendedWorkloads.AT, at, SuspendedWorkloads.PODS, pods.text()));
    }

    /** What is scaled down again keeps what it had at first, and the pods that it lost then. */
    static Marks of(GenericKubernetesResource object, int left, SuspendedPods pods, Instant now) {
      var earlier = ScaledReplicas.of(object);
      int before =
          earlier.map(ScaledReplicas::before).orElseGet(() -> ScaledReplicas.wanted(object));
      var lost = earlier.flatMap(_ -> SuspendedPods.of(object)).map(pods::and).orElse(pods);
      return of(lost, now).and(new ScaledReplicas(before, left));
    }

    private Marks and(ScaledReplicas scaled) {
      var all = new HashMap<String, @Nullable String>(annotations);
      all.put(ScaledReplicas.BEFORE, Integer.toString(scaled.before()));
      all.put(ScaledReplicas.LEFT, Integer.toString(scaled.left()));
      return new Marks(label, all);
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
    MergePatch.send(client, context, object, json(change));
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
