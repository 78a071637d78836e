package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.ServedKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * CapacityBuffers in the API server, as the Cluster Autoscaler and Karpenter read them. For one
 * look. Not thread-safe.
 */
final class LiveBuffers implements BufferStore {
  static final ResourceDefinitionContext BUFFERS =
      ServedKind.of("autoscaling.x-k8s.io", "v1beta1", "CapacityBuffer", "capacitybuffers", true);

  private final KubernetesClient client;
  private final OwnedObjects owned;

  /** The versions that were found, by the UID of the booking. */
  private final Map<String, String> found = new HashMap<>();

  LiveBuffers(KubernetesClient client) {
    this.client = client;
    owned = new OwnedObjects(client);
  }

  @Override
  public String asks() {
    return "A CapacityBuffer asks";
  }

  /** Pods of a gang are held room for one by one, if they are alike: some is better than none. */
  @Override
  public boolean suits(BookedTemplate template) {
    return !template.leaderAsksForOthers();
  }

  @Override
  public boolean isServed() {
    return ServedKind.isServed(client, BUFFERS);
  }

  private Resource<GenericKubernetesResource> named(GpuBooking booking) {
    return client
        .genericKubernetesResources(BUFFERS)
        .inNamespace(booking.getMetadata().getNamespace())
        .withName(booking.getMetadata().getName());
  }

  @Override
  public Optional<Buffer> find(GpuBooking booking) {
    var buffer = Optional.ofNullable(named(booking).get());
    buffer
        .map(it -> it.getMetadata().getResourceVersion())
        .ifPresent(it -> found.put(booking.getMetadata().getUid(), it));
    return buffer.map(it -> read(it, booking));
  }

  private Optional<String> found(GpuBooking booking) {
    return Optional.ofNullable(found.get(booking.getMetadata().getUid()));
  }

  /** What others have written to a buffer of ours is written over. */
  private static Buffer read(GenericKubernetesResource buffer, GpuBooking booking) {
    boolean isOwn =
        buffer.getMetadata().getOwnerReferences().stream()
            .map(OwnerReference::getUid)
            .anyMatch(Objects.requireNonNull(booking.getMetadata().getUid())::equals);
    return BufferNotes.read(buffer, isOwn, replicas(buffer) / BufferNotes.podsOfReplica(buffer));
  }

  static int replicas(GenericKubernetesResource buffer) {
    return buffer.get("spec", "replicas") instanceof Number number
        ? Math.max(0, number.intValue())
        : 0;
  }

  /** Only replicas: a percentage beside it has another meaning in each release. */
  @Override
  public void apply(GpuBooking booking, BookedTemplate template, Buffer buffer) {
    owned.apply(booking, OwnedObjects.name(booking), template.requesting());
    owned.apply(
        booking,
        BUFFERS,
        booking.getMetadata().getName(),
        found(booking),
        Map.of(),
        BufferNotes.of(buffer, template),
        Map.of(
            "replicas",
            buffer.replicas() * template.pods(),
            "podTemplateRef",
            Map.of("name", OwnedObjects.name(booking))));
  }

  @Override
  public void release(GpuBooking booking) {
    release(named(booking), found(booking));
  }

  /**
   * The rest stays as it was written: it may be needed again.
   *
   * @param seen the version that was read; one that has changed since is a conflict
   */
  static void release(Resource<GenericKubernetesResource> buffer, Optional<String> seen) {
    var annotations = new HashMap<String, @Nullable String>();
    BufferNotes.TIMES.forEach(key -> annotations.put(key, null));
    var meta = new HashMap<String, Object>(Map.of("annotations", annotations));
    seen.ifPresent(it -> meta.put("resourceVersion", it));
    buffer.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        Serialization.asJson(Map.of("metadata", meta, "spec", Map.of("replicas", 0))));
  }

  @Override
  public void delete(GpuBooking booking) {
    named(booking).delete();
    owned.delete(booking.getMetadata().getNamespace(), OwnedObjects.name(booking));
  }
}
