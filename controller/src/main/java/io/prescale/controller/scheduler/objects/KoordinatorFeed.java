package io.prescale.controller.scheduler.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.cluster.BriefObjects;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.placement.ledger.Ledger;
import java.util.Optional;

/** Reports Koordinator's Devices to the ledger; each has the name of its node. */
public final class KoordinatorFeed {
  static final ResourceDefinitionContext DEVICES =
      ServedKind.of("scheduling.koordinator.sh", "v1alpha1", "Device", "devices", false);

  private KoordinatorFeed() {}

  /** Starts watching, if Koordinator is installed. */
  public static void start(KubernetesClient client, Ledger ledger, CurrentWatches watches) {
    if (!client.hasApiGroup(DEVICES.getGroup(), true)) {
      return;
    }
    var informer =
        watches.optional(
            "Koordinator's devices", client.genericKubernetesResources(DEVICES), BriefObjects.PAGE);
    informer.addEventHandler(
        new ObjectEvents<>(
            device -> ledger.koordinatorSeen(device.getMetadata().getName(), spec(device)),
            device -> ledger.koordinatorSeen(device.getMetadata().getName(), Optional.empty())));
    informer.start();
  }

  static Optional<String> spec(GenericKubernetesResource device) {
    return Optional.ofNullable(device.getAdditionalProperties().get("spec"))
        .map(Serialization::asJson);
  }
}
