package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.ServedKind;
import java.net.HttpURLConnection;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** CapacityBuffers in the API server, as the Cluster Autoscaler and Karpenter read them. */
final class LiveBuffers implements BufferStore {
  static final ResourceDefinitionContext BUFFERS =
      new ResourceDefinitionContext.Builder()
          .withGroup("autoscaling.x-k8s.io")
          .withVersion("v1beta1")
          .withKind("CapacityBuffer")
          .withPlural("capacitybuffers")
          .withNamespaced(true)
          .build();

  /** By which buffers can be found, and removed, if nothing here is left to do it. */
  private static final Map<String, String> LABELS =
      Map.of("app.kubernetes.io/managed-by", "prescale");

  private static final String ASKED_SINCE = "autoscaling.prescale.io/asked-since";

  private final KubernetesClient client;

  LiveBuffers(KubernetesClient client) {
    this.client = client;
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
    return Optional.ofNullable(named(booking).get()).map(it -> read(it, booking));
  }

  /** What others have written to a buffer of ours is written over. */
  private static Buffer read(GenericKubernetesResource buffer, GpuBooking booking) {
    boolean isOwn =
        buffer.getMetadata().getOwnerReferences().stream()
            .map(OwnerReference::getUid)
            .anyMatch(Objects.requireNonNull(booking.getMetadata().getUid())::equals);
    Object replicas = buffer.get("spec", "replicas");
    return new Buffer(
        isOwn,
        "%s/%s"
            .formatted(
                buffer.<Object>get("spec", "scalableRef", "kind"),
                buffer.<Object>get("spec", "scalableRef", "name")),
        replicas instanceof Number number ? Math.max(0, number.intValue()) : 0,
        Optional.ofNullable(buffer.getMetadata().getAnnotations())
            .map(it -> it.get(ASKED_SINCE))
            .flatMap(LiveBuffers::time));
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /** Only replicas: a percentage beside it has another meaning in each release. */
  @Override
  public void apply(GpuBooking booking, Buffer buffer) {
    var target = buffer.workload().split("/", 2);
    var meta = booking.getMetadata();
    var annotations =
        buffer
            .askedSince()
            .map(it -> Map.of(ASKED_SINCE, it.truncatedTo(ChronoUnit.SECONDS).toString()))
            .orElse(Map.of());
    var wanted =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(BUFFERS.getGroup() + "/" + BUFFERS.getVersion())
            .withKind(BUFFERS.getKind())
            .withNewMetadata()
            .withNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withLabels(LABELS)
            .withAnnotations(annotations)
            .withOwnerReferences(owner(booking))
            .endMetadata()
            .addToAdditionalProperties(
                "spec",
                Map.of(
                    "replicas",
                    buffer.replicas(),
                    "scalableRef",
                    Map.of("apiGroup", "apps", "kind", target[0], "name", target[1])))
            .build();
    client
        .genericKubernetesResources(BUFFERS)
        .inNamespace(meta.getNamespace())
        .resource(wanted)
        .fieldManager(LiveBookings.MANAGER)
        .forceConflicts()
        .serverSideApply();
  }

  private static OwnerReference owner(GpuBooking booking) {
    return new OwnerReferenceBuilder()
        .withApiVersion(booking.getApiVersion())
        .withKind(booking.getKind())
        .withName(booking.getMetadata().getName())
        .withUid(booking.getMetadata().getUid())
        .withController(true)
        .build();
  }

  @Override
  public void delete(GpuBooking booking) {
    named(booking).delete();
  }

  /** Without the right to list nodes nothing is learned of them. */
  @Override
  public boolean hasNodeSince(Instant time, Set<String> resources) {
    try {
      return client.nodes().list().getItems().stream()
          .filter(node -> !Instant.parse(node.getMetadata().getCreationTimestamp()).isBefore(time))
          .anyMatch(node -> isReady(node) && hasAny(node, resources));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isReady(Node node) {
    return node.getStatus() != null
        && node.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  private static boolean hasAny(Node node, Set<String> resources) {
    var allocatable = node.getStatus().getAllocatable();
    return allocatable != null
        && resources.stream()
            .map(allocatable::get)
            .anyMatch(it -> it != null && it.getNumericalAmount().signum() > 0);
  }
}
