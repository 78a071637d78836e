package io.prescale.controller.scheduler.reclaim;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.scheduler.evictions.Attempts;
import io.prescale.controller.scheduler.evictions.JobFailures;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Follows the controllers of some pods up to the topmost, once. Not thread-safe. */
final class OwnerReading {
  /** A pod of a TrainJob has three: Job, JobSet, TrainJob. */
  private static final int DEEPEST = 4;

  private final KubernetesClient client;
  private final Function<Owner, Optional<ResourceDefinitionContext>> context;
  private final Map<String, Ownership> known;
  private final Map<String, Ownership> found = new HashMap<>();
  private int requests;

  /**
   * Nothing is read yet.
   *
   * @param context how an owner is read; empty if it is none that leads to a workload
   * @param known what need not be read, by the UIDs of owners
   */
  OwnerReading(
      KubernetesClient client,
      Function<Owner, Optional<ResourceDefinitionContext>> context,
      Map<String, Ownership> known) {
    this.client = client;
    this.context = context;
    this.known = known;
  }

  /**
   * What was read, by the UIDs of owners.
   *
   * @param at when the reading began
   */
  record Found(Map<String, Ownership> byUid, Instant at) {}

  /**
   * Reads the owners of pods, in this order.
   *
   * @param most requests, besides those for pods with notice
   */
  Found read(List<PodTerms> pods, int most, Attempts attempts, Instant now) {
    attempts.retries().forget(now);
    int forOthers = 0;
    for (var pod : pods) {
      var owner = pod.owner().orElseThrow();
      int before = requests;
      if (pod.isNoticed() || forOthers < most) {
        attempts.attempt(owner.uid(), now, () -> read(pod.namespace(), owner, DEEPEST));
      }
      forOthers += pod.isNoticed() ? 0 : requests - before;
    }
    return new Found(found, now);
  }

  private Ownership read(String namespace, Owner owner, int depth) {
    var read = found.getOrDefault(owner.uid(), known.get(owner.uid()));
    if (read == null) {
      read = find(namespace, owner, depth);
      found.put(owner.uid(), read);
    }
    return read;
  }

  private Ownership find(String namespace, Owner owner, int depth) {
    var object = context.apply(owner).map(kind -> get(kind, namespace, owner.name())).orElse(null);
    if (object == null || !owner.uid().equals(object.getMetadata().getUid()) || depth == 0) {
      return new Ownership.None();
    }
    var above = Owner.controlling(object.getMetadata()).filter(it -> context.apply(it).isPresent());
    return above.isPresent()
        ? read(namespace, above.get(), depth - 1)
        : SuspendableKind.of(owner)
            .filter(kind -> kind.mayBeSuspended(object))
            .<Ownership>map(kind -> owning(kind, object))
            .orElse(new Ownership.None());
  }

  private static Ownership.By owning(SuspendableKind kind, GenericKubernetesResource object) {
    var whole = Suspendable.of(kind, object.getMetadata());
    return kind == SuspendableKind.JOB
        ? new Ownership.By(whole, JobFailures.left(object))
        : new Ownership.By(whole);
  }

  private GenericKubernetesResource get(
      ResourceDefinitionContext kind, String namespace, String name) {
    requests++;
    return client.genericKubernetesResources(kind).inNamespace(namespace).withName(name).get();
  }
}
