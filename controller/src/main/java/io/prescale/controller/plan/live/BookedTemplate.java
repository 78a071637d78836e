package io.prescale.controller.plan.live;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.plan.cluster.CardParts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a booking says of a replica: by which labels its pods are known, and of its template only
 * what decides about places and says which images are pulled, and with which names of secrets. No
 * command, environment or other volume is copied, so that a change of these, or a secret in them,
 * never gets into a booking.
 */
record BookedTemplate(Map<String, String> selector, PodTemplateSpec template) {
  /**
   * Of a Deployment, ReplicaSet or StatefulSet; empty for other kinds, such as those of which a
   * replica has several pods, and where there are no labels or cards to go by.
   */
  static Optional<BookedTemplate> of(HasMetadata target) {
    return switch (target) {
      case Deployment it -> of(it.getSpec().getSelector(), it.getSpec().getTemplate());
      case ReplicaSet it -> of(it.getSpec().getSelector(), it.getSpec().getTemplate());
      case StatefulSet it -> of(it.getSpec().getSelector(), it.getSpec().getTemplate());
      default -> Optional.empty();
    };
  }

  private static Optional<BookedTemplate> of(
      @Nullable LabelSelector selector, @Nullable PodTemplateSpec template) {
    if (selector == null
        || selector.getMatchLabels() == null
        || selector.getMatchLabels().isEmpty()
        || template == null
        || template.getSpec() == null) {
      return Optional.empty();
    }
    var pruned = pruned(template);
    return Optional.of(new BookedTemplate(selector.getMatchLabels(), pruned))
        .filter(it -> CardParts.areAskedFor(it.replica()));
  }

  /** The same template has the same one, in every process. */
  String digest() {
    return Integer.toHexString(Serialization.asYaml(requesting()).hashCode());
  }

  /**
   * The template with a request for all that is limited, as pods get it when they are created:
   * autoscalers go by requests, and would take a replica that only limits its cards for one without
   * any. What is pulled means nothing to them.
   */
  PodTemplateSpec requesting() {
    return new PodTemplateSpecBuilder(template)
        .editSpec()
        .withContainers(requesting(template.getSpec().getContainers()))
        .withInitContainers(requesting(template.getSpec().getInitContainers()))
        .withVolumes()
        .withImagePullSecrets()
        .withServiceAccountName(null)
        .endSpec()
        .build();
  }

  private static List<Container> requesting(List<Container> containers) {
    return containers.stream().map(BookedTemplate::requesting).toList();
  }

  private static Container requesting(Container container) {
    var resources = container.getResources();
    if (resources == null) {
      return container;
    }
    var requests = new TreeMap<>(orEmpty(resources.getLimits()));
    requests.putAll(orEmpty(resources.getRequests()));
    return new ContainerBuilder(container)
        .withResources(new ResourceRequirementsBuilder(resources).withRequests(requests).build())
        .build();
  }

  /** The extended resources that a replica asks for. */
  Set<String> resources() {
    return template.getSpec().getContainers().stream()
        .map(Container::getResources)
        .filter(Objects::nonNull)
        .flatMap(it -> orEmpty(it.getLimits()).keySet().stream())
        .filter(it -> it.contains("/"))
        .collect(Collectors.toSet());
  }

  /** The cards, or parts of cards, that a replica asks for. */
  double cards(CardParts parts) {
    return parts.cards(replica());
  }

  private List<Pod> replica() {
    var pod =
        new PodBuilder()
            .withNewMetadataLike(template.getMetadata())
            .withNamespace("booked")
            .withName("replica")
            .withUid("replica")
            .endMetadata()
            .withSpec(template.getSpec())
            .build();
    return List.of(pod);
  }

  private static PodTemplateSpec pruned(PodTemplateSpec template) {
    var meta = template.getMetadata();
    var annotations = new HashMap<>(orEmpty(meta == null ? null : meta.getAnnotations()));
    annotations.keySet().removeIf(it -> !CardParts.dependOn(it));
    return new PodTemplateSpecBuilder()
        .withNewMetadata()
        .withLabels(orEmpty(meta == null ? null : meta.getLabels()))
        .withAnnotations(annotations)
        .endMetadata()
        .withSpec(pruned(template.getSpec()))
        .build();
  }

  private static PodSpec pruned(PodSpec spec) {
    return new PodSpecBuilder()
        .withContainers(pruned(spec.getContainers()))
        .withInitContainers(pruned(spec.getInitContainers()))
        .withOverhead(spec.getOverhead())
        .withRuntimeClassName(spec.getRuntimeClassName())
        .withSchedulerName(spec.getSchedulerName())
        .withPriority(spec.getPriority())
        .withPriorityClassName(spec.getPriorityClassName())
        .withNodeSelector(spec.getNodeSelector())
        .withTolerations(spec.getTolerations())
        .withVolumes(images(spec.getVolumes()))
        .withImagePullSecrets(spec.getImagePullSecrets())
        .withServiceAccountName(spec.getServiceAccountName())
        .build();
  }

  /** Of volumes only those that are images, and of these what is pulled. */
  private static List<Volume> images(@Nullable List<Volume> volumes) {
    return Objects.requireNonNullElse(volumes, List.<Volume>of()).stream()
        .filter(it -> it.getImage() != null && it.getImage().getReference() != null)
        .map(
            it ->
                new VolumeBuilder()
                    .withName(it.getName())
                    .withNewImage()
                    .withReference(it.getImage().getReference())
                    .endImage()
                    .build())
        .toList();
  }

  private static List<Container> pruned(List<Container> containers) {
    return containers.stream()
        .map(
            it ->
                new ContainerBuilder()
                    .withName(it.getName())
                    .withImage(it.getImage())
                    .withRestartPolicy(it.getRestartPolicy())
                    .withResources(pruned(it.getResources()))
                    .build())
        .toList();
  }

  private static @Nullable ResourceRequirements pruned(@Nullable ResourceRequirements resources) {
    return resources == null
        ? null
        : new ResourceRequirementsBuilder()
            .withLimits(resources.getLimits())
            .withRequests(resources.getRequests())
            .build();
  }

  private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
    return Objects.requireNonNullElse(map, Map.of());
  }
}
