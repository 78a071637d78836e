package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.ServedKind;
import io.prescale.controller.plan.BufferWish.Held;
import io.prescale.controller.plan.cluster.CardParts;
import java.net.HttpURLConnection;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CapacityBuffers in the API server, as the Cluster Autoscaler and Karpenter read them. For one
 * look, and one thread.
 */
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
  static final Map<String, String> LABELS = Map.of("app.kubernetes.io/managed-by", "prescale");

  private static final String SHAPE = "autoscaling.prescale.io/shape";
  private static final String ASKED_SINCE = "autoscaling.prescale.io/asked-since";
  private static final String HELD_UP_TO = "autoscaling.prescale.io/held-up-to";
  private static final String UNKNOWN_SINCE = "autoscaling.prescale.io/unknown-since";

  private final KubernetesClient client;

  /** Of the nodes that there are, once it was asked. */
  private @Nullable CardParts parts;

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
    return new Buffer(
        isOwn,
        annotation(buffer, SHAPE).orElse(""),
        new Held(replicas(buffer), time(buffer, HELD_UP_TO), time(buffer, UNKNOWN_SINCE)),
        time(buffer, ASKED_SINCE));
  }

  static int replicas(GenericKubernetesResource buffer) {
    return buffer.get("spec", "replicas") instanceof Number number
        ? Math.max(0, number.intValue())
        : 0;
  }

  private static Optional<String> annotation(GenericKubernetesResource buffer, String key) {
    return Optional.ofNullable(buffer.getMetadata().getAnnotations()).map(it -> it.get(key));
  }

  private static Optional<Instant> time(GenericKubernetesResource buffer, String key) {
    try {
      return annotation(buffer, key).map(Instant::parse);
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static Map<String, String> annotations(Buffer buffer) {
    var annotations = new HashMap<>(Map.of(SHAPE, buffer.shape()));
    var times =
        Map.of(
            ASKED_SINCE, buffer.askedSince(),
            HELD_UP_TO, buffer.held().upTo(),
            UNKNOWN_SINCE, buffer.held().unknownSince());
    times.forEach(
        (key, time) ->
            time.ifPresent(
                it -> annotations.put(key, it.truncatedTo(ChronoUnit.SECONDS).toString())));
    return annotations;
  }

  /** Only replicas: a percentage beside it has another meaning in each release. */
  @Override
  public void apply(GpuBooking booking, BookedTemplate template, Buffer buffer) {
    apply(booking, template);
    var meta = booking.getMetadata();
    var wanted =
        new GenericKubernetesResourceBuilder()
            .withApiVersion(BUFFERS.getGroup() + "/" + BUFFERS.getVersion())
            .withKind(BUFFERS.getKind())
            .withNewMetadata()
            .withNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withLabels(LABELS)
            .withAnnotations(annotations(buffer))
            .withOwnerReferences(owner(booking))
            .endMetadata()
            .addToAdditionalProperties(
                "spec",
                Map.of(
                    "replicas",
                    buffer.replicas(),
                    "podTemplateRef",
                    Map.of("name", templateName(booking))))
            .build();
    client
        .genericKubernetesResources(BUFFERS)
        .inNamespace(meta.getNamespace())
        .resource(wanted)
        .fieldManager(LiveBookings.MANAGER)
        .forceConflicts()
        .serverSideApply();
  }

  private void apply(GpuBooking booking, BookedTemplate template) {
    var wanted =
        new PodTemplateBuilder()
            .withNewMetadata()
            .withNamespace(booking.getMetadata().getNamespace())
            .withName(templateName(booking))
            .withLabels(LABELS)
            .withOwnerReferences(owner(booking))
            .endMetadata()
            .withTemplate(template.requesting())
            .build();
    client.resource(wanted).fieldManager(LiveBookings.MANAGER).forceConflicts().serverSideApply();
  }

  /** Of no other's: the UID of the booking is in it. */
  private static String templateName(GpuBooking booking) {
    return templateName(booking.getMetadata().getUid());
  }

  private static String templateName(String booking) {
    return "prescale-" + booking;
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
  public void release(GpuBooking booking) {
    release(named(booking));
  }

  /** The rest stays as it was written: it may be needed again. */
  static void release(Resource<GenericKubernetesResource> buffer) {
    var annotations = new HashMap<String, @Nullable String>();
    List.of(ASKED_SINCE, HELD_UP_TO, UNKNOWN_SINCE).forEach(key -> annotations.put(key, null));
    buffer.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        Serialization.asJson(
            Map.of("metadata", Map.of("annotations", annotations), "spec", Map.of("replicas", 0))));
  }

  @Override
  public void delete(GpuBooking booking) {
    named(booking).delete();
    deleteTemplate(booking.getMetadata().getNamespace(), booking.getMetadata().getUid());
  }

  /** That of a booking's buffer. */
  void deleteTemplate(String namespace, String booking) {
    client.v1().podTemplates().inNamespace(namespace).withName(templateName(booking)).delete();
  }

  @Override
  public double cards(BookedTemplate template) {
    var known = parts;
    if (known == null) {
      known = CardParts.of(nodes());
      parts = known;
    }
    return template.cards(known);
  }

  @Override
  public boolean hasNodeSince(Instant time, Set<String> resources) {
    return nodes().stream()
        .filter(node -> !Instant.parse(node.getMetadata().getCreationTimestamp()).isBefore(time))
        .anyMatch(node -> isReady(node) && hasAny(node, resources));
  }

  /** Without the right to list nodes nothing is known of them. */
  private List<Node> nodes() {
    try {
      return client.nodes().list().getItems();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return List.of();
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
