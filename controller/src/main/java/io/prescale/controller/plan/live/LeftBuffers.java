package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.ApiFailure;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The CapacityBuffers of all bookings, for a leader that asks for no nodes any more. */
final class LeftBuffers {
  private static final Logger LOG = LoggerFactory.getLogger(LeftBuffers.class);

  private final KubernetesClient client;
  private final LiveBuffers buffers;
  private final OwnedObjects owned;

  LeftBuffers(KubernetesClient client) {
    this.client = client;
    buffers = new LiveBuffers(client);
    owned = new OwnedObjects(client);
  }

  /**
   * Has them hold nothing, and deletes those that hold nothing already.
   *
   * @param namespaces that count; empty for all
   * @return how many there were
   */
  int end(Set<String> namespaces) {
    if (!buffers.isServed()) {
      return 0;
    }
    var all = client.genericKubernetesResources(LiveBuffers.BUFFERS);
    var found =
        namespaces.isEmpty()
            ? listed(all.inAnyNamespace())
            : namespaces.stream().flatMap(it -> listed(all.inNamespace(it)).stream()).toList();
    int ended = 0;
    for (var buffer : found) {
      var meta = buffer.getMetadata();
      var owner =
          meta.getOwnerReferences().stream()
              .filter(it -> isBooking(it, meta.getName()))
              .findFirst();
      if (owner.isPresent()) {
        ended++;
        end(all.resource(buffer), buffer, owner.get().getUid());
      }
    }
    return ended;
  }

  private void end(
      Resource<GenericKubernetesResource> resource, GenericKubernetesResource buffer, String uid) {
    if (LiveBuffers.replicas(buffer) > 0) {
      LiveBuffers.release(resource, Optional.ofNullable(buffer.getMetadata().getResourceVersion()));
    } else {
      resource.delete();
      owned.delete(buffer.getMetadata().getNamespace(), OwnedObjects.name(uid));
    }
  }

  /** Where this program may not look, there are none that it wrote; other namespaces count. */
  private static List<GenericKubernetesResource> listed(
      AnyNamespaceOperation<
              GenericKubernetesResource,
              GenericKubernetesResourceList,
              Resource<GenericKubernetesResource>>
          in) {
    try {
      return in.withLabels(OwnedObjects.LABELS).list().getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        LOG.warn("CapacityBuffers may be left, and may not be listed: {}", ApiFailure.text(e));
        return List.of();
      }
      throw e;
    }
  }

  private static boolean isBooking(OwnerReference owner, String name) {
    return owner.getKind().equals(HasMetadata.getKind(GpuBooking.class))
        && owner.getName().equals(name);
  }
}
