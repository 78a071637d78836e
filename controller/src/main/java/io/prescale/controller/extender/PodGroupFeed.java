package io.prescale.controller.extender;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.placement.Ledger;
import java.util.Optional;
import java.util.OptionalInt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the ledger of Kubernetes' PodGroups, of which those with the policy gang are one. */
final class PodGroupFeed implements ResourceEventHandler<GenericKubernetesResource> {
  private static final Logger LOG = LoggerFactory.getLogger(PodGroupFeed.class);
  private static final String GROUP = "scheduling.k8s.io";

  /** That of Kubernetes 1.36. */
  private static final String VERSION = "v1alpha2";

  private final Ledger ledger;

  private PodGroupFeed(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Begins to watch, where the API server serves them. */
  static Optional<SharedIndexInformer<GenericKubernetesResource>> start(
      KubernetesClient client, Ledger ledger) {
    var served = client.getApiResources(GROUP + "/" + VERSION);
    if (served == null
        || served.getResources().stream().noneMatch(kind -> kind.getName().equals("podgroups"))) {
      return Optional.empty();
    }
    var podGroups =
        new ResourceDefinitionContext.Builder()
            .withGroup(GROUP)
            .withVersion(VERSION)
            .withKind("PodGroup")
            .withPlural("podgroups")
            .withNamespaced(true)
            .build();
    var informer =
        client.genericKubernetesResources(podGroups).inAnyNamespace().runnableInformer(0);
    informer.addEventHandler(new PodGroupFeed(ledger));
    informer.exceptionHandler(
        (_, e) -> {
          LOG.warn("Watching PodGroups broke off and begins again: {}", e.getMessage());
          return true;
        });
    informer.start();
    return Optional.of(informer);
  }

  @Override
  public void onAdd(GenericKubernetesResource group) {
    tell(group, least(group));
  }

  @Override
  public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource group) {
    onAdd(group);
  }

  @Override
  public void onDelete(GenericKubernetesResource group, boolean unknown) {
    tell(group, OptionalInt.empty());
  }

  private void tell(GenericKubernetesResource group, OptionalInt least) {
    var meta = group.getMetadata();
    ledger.podGroupSeen(meta.getNamespace(), meta.getName(), least);
  }

  static OptionalInt least(GenericKubernetesResource group) {
    Object least = group.get("spec", "schedulingPolicy", "gang", "minCount");
    return least instanceof Integer number && number > 0
        ? OptionalInt.of(number)
        : OptionalInt.empty();
  }
}
