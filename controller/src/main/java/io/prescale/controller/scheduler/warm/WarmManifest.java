package io.prescale.controller.scheduler.warm;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * The pod that pulls images to a node: it mounts them as volumes, runs a command of ours that ends
 * at once, and nothing of theirs. A policy of the chart permits no other shape.
 */
final class WarmManifest {
  private static final String CONTAINER = "pull";

  private WarmManifest() {}

  /** The same pod has the same name, so that it is never created twice. */
  static Pod of(WarmBooking booking, String node, int attempt, WarmSettings settings) {
    var images = booking.images();
    return new PodBuilder()
        .withMetadata(metadata(booking, node, attempt))
        .withNewSpec()
        .withNodeName(node)
        .withRestartPolicy("Never")
        .withActiveDeadlineSeconds(settings.patience().toSeconds())
        .withTerminationGracePeriodSeconds(1L)
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .withServiceAccountName(images.serviceAccount().orElse(null))
        .withImagePullSecrets(images.secrets())
        .withTolerations(images.tolerations())
        .withNewSecurityContext()
        .withRunAsNonRoot(true)
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .endSecurityContext()
        .withContainers(container(settings, images.images().size()))
        .withVolumes(volumes(images.images()))
        .endSpec()
        .build();
  }

  private static ObjectMeta metadata(WarmBooking booking, String node, int attempt) {
    var images = booking.images();
    return new ObjectMetaBuilder()
        .withNamespace(booking.namespace())
        .withName(name(booking.uid(), node, images.digest(), attempt))
        .withLabels(
            Map.of(
                "app.kubernetes.io/managed-by",
                "prescale",
                WarmPod.LABEL,
                images.digest(),
                "sidecar.istio.io/inject",
                "false"))
        .withAnnotations(
            Map.of(
                WarmPod.ATTEMPT,
                String.valueOf(attempt),
                // On EKS, no role of the ServiceAccount is mounted: it is there for pull secrets.
                "eks.amazonaws.com/skip-containers",
                CONTAINER))
        .addNewOwnerReference()
        .withApiVersion(HasMetadata.getApiVersion(GpuBooking.class))
        .withKind(HasMetadata.getKind(GpuBooking.class))
        .withName(booking.name())
        .withUid(booking.uid())
        .withController(true)
        .endOwnerReference()
        .build();
  }

  /** Little is requested, since the kubelet pulls; the limits leave room to start any runtime. */
  private static Container container(WarmSettings settings, int images) {
    return new ContainerBuilder()
        .withName(CONTAINER)
        .withImage(settings.image())
        .withImagePullPolicy("IfNotPresent")
        .withCommand(settings.command())
        .withNewResources()
        .withRequests(Map.of("cpu", new Quantity("10m"), "memory", new Quantity("32Mi")))
        .withLimits(Map.of("cpu", new Quantity("500m"), "memory", new Quantity("128Mi")))
        .endResources()
        .withSecurityContext(restricted())
        .withVolumeMounts(mounts(images))
        .build();
  }

  private static SecurityContext restricted() {
    return new SecurityContextBuilder()
        .withAllowPrivilegeEscalation(false)
        .withReadOnlyRootFilesystem(true)
        .withNewCapabilities()
        .withDrop("ALL")
        .endCapabilities()
        .build();
  }

  private static List<Volume> volumes(List<String> images) {
    return IntStream.range(0, images.size())
        .mapToObj(
            number ->
                new VolumeBuilder()
                    .withName(volume(number))
                    .withNewImage()
                    .withReference(images.get(number))
                    .withPullPolicy("IfNotPresent")
                    .endImage()
                    .build())
        .toList();
  }

  private static List<VolumeMount> mounts(int images) {
    return IntStream.range(0, images)
        .mapToObj(
            number ->
                new VolumeMountBuilder()
                    .withName(volume(number))
                    .withMountPath("/images/" + number)
                    .withReadOnly(true)
                    .build())
        .toList();
  }

  private static String volume(int number) {
    return "image-" + number;
  }

  private static String name(String booking, String node, String digest, int attempt) {
    var key = "%s/%s/%s/%d".formatted(booking, node, digest, attempt);
    return "prescale-warm-" + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the API server has kept all images: one without image volumes drops them. */
  static boolean isWhole(Pod wanted, Pod created) {
    return created.getSpec().getVolumes().stream().filter(it -> it.getImage() != null).count()
        == wanted.getSpec().getVolumes().size();
  }
}
