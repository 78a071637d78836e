package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.scheduler.evictions.Attempts;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds what is suspended when a pod is taken, by its owners up to the first that is controlled by
 * none. Each is read once. For one thread at a time.
 */
final class Owners {
  /** Owners of pods that are read in one round, besides those of pods with notice. */
  static final int MOST_READS = 20;

  /** A pod of a TrainJob has three: Job, JobSet, TrainJob. */
  private static final int DEEPEST = 4;

  private static final ResourceDefinitionContext RAY_CLUSTER =
      SuspendableKind.context("ray.io", "v1", "RayCluster", "rayclusters");

  private final KubernetesClient client;
  private final InstalledKinds kinds;
  private final Attempts attempts = new Attempts("reading the owners of pods");
  private final Map<String, Ownership> byUid = new HashMap<>();

  Owners(KubernetesClient client, InstalledKinds kinds) {
    this.client = client;
    this.kinds = kinds;
  }

  /** What is known of a pod; of a Job's pod without reading. */
  Ownership of(PodTerms pod) {
    return pod.job().isPresent() ? pod.ownership() : ofOwner(pod.owner());
  }

  private Ownership ofOwner(Optional<Owner> owner) {
    return owner
        .filter(it -> context(it).isPresent())
        .map(it -> byUid.getOrDefault(it.uid(), new Ownership.Unknown()))
        .orElse(new Ownership.None());
  }

  /** Reads owners of pods that may be taken, those of pods with notice first. */
  void read(Collection<PodTerms> pods, Instant now) {
    attempts.retries().forget(now);
    var unread = new LinkedHashMap<String, PodTerms>();
    var known = new HashMap<String, Ownership>();
    pods.stream()
        .sorted(Comparator.comparing(pod -> !pod.isNoticed()))
        .forEach(
            pod ->
                pod.owner()
                    .ifPresent(
                        owner -> {
                          var ownership = byUid.get(owner.uid());
                          if (ownership != null) {
                            known.put(owner.uid(), ownership);
                          } else if (of(pod).isUnknown()) {
                            unread.putIfAbsent(owner.uid(), pod);
                          }
                        }));
    byUid.keySet().retainAll(known.keySet());
    int reads = 0;
    for (var pod : unread.values()) {
      if (pod.isNoticed() || reads++ < MOST_READS) {
        var owner = pod.owner().orElseThrow();
        attempts.attempt(owner.uid(), now, () -> read(pod.namespace(), owner, DEEPEST));
      }
    }
  }

  private Ownership read(String namespace, Owner owner, int depth) {
    var known = byUid.get(owner.uid());
    if (known == null) {
      known = find(namespace, owner, depth);
      byUid.put(owner.uid(), known);
    }
    return known;
  }

  private Ownership find(String namespace, Owner owner, int depth) {
    var object = context(owner).map(kind -> get(kind, namespace, owner.name())).orElse(null);
    if (object == null || !owner.uid().equals(object.getMetadata().getUid()) || depth == 0) {
      return new Ownership.None();
    }
    var above = Owner.controlling(object.getMetadata()).filter(it -> context(it).isPresent());
    return above.isPresent()
        ? read(namespace, above.get(), depth - 1)
        : SuspendableKind.of(owner)
            .filter(kind -> kind.mayBeSuspended(object))
            .<Ownership>map(kind -> new Ownership.By(Suspendable.of(kind, object.getMetadata())))
            .orElse(new Ownership.None());
  }

  private GenericKubernetesResource get(
      ResourceDefinitionContext kind, String namespace, String name) {
    return client.genericKubernetesResources(kind).inNamespace(namespace).withName(name).get();
  }

  /** How an owner is read; empty if it is none that leads to a workload. */
  private Optional<ResourceDefinitionContext> context(Owner owner) {
    return owner.kind().equals(RAY_CLUSTER.getKind())
            && owner.group().equals(RAY_CLUSTER.getGroup())
        ? kinds.find(SuspendableKind.RAY_JOB).map(_ -> RAY_CLUSTER)
        : SuspendableKind.of(owner).flatMap(kinds::find);
  }
}
