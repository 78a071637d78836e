package io.prescale.controller.scheduler.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.placement.ledger.Ledger;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Reports Kubernetes' PodGroups to the ledger; those with the policy gang are gangs. */
public final class PodGroupFeed {
  /** The versions, the preferred one first; Kubernetes 1.36 has the last one, 1.37 the others. */
  static final List<ResourceDefinitionContext> POD_GROUPS =
      Stream.of("v1beta1", "v1alpha3", "v1alpha2")
          .map(it -> ServedKind.of("scheduling.k8s.io", it, "PodGroup", "podgroups", true))
          .toList();

  private PodGroupFeed() {}

  /** Starts watching, if the API server serves PodGroups. */
  public static void start(KubernetesClient client, Ledger ledger, CurrentWatches watches) {
    for (var informer : ServedKind.informers("PodGroups", client, POD_GROUPS, watches)) {
      informer.addEventHandler(
          new ObjectEvents<>(
              group -> report(group, least(group), ledger),
              group -> report(group, OptionalInt.empty(), ledger)));
      informer.start();
    }
  }

  static void report(GenericKubernetesResource group, OptionalInt least, Ledger ledger) {
    var meta = group.getMetadata();
    ledger.podGroupSeen(meta.getNamespace(), meta.getName(), least, GroupFacts.nearness(group));
  }

  static OptionalInt least(GenericKubernetesResource group) {
    Object least = group.get("spec", "schedulingPolicy", "gang", "minCount");
    return least instanceof Integer number && number > 0
        ? OptionalInt.of(number)
        : OptionalInt.empty();
  }
}
