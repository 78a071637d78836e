package io.prescale.controller.plan.live;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
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
import io.prescale.controller.api.v1alpha1.BookingNeed;
import io.prescale.controller.api.v1alpha1.GpuBookingSpec;
import io.prescale.controller.plan.cluster.CardParts;
import io.prescale.controller.scheduler.facts.NodeRules;
import io.prescale.controller.scheduler.whatif.GroupTemplates;
import io.prescale.controller.scheduler.whatif.ReplicaPods;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a booking says of a replica: by which labels its pods are known, and of their templates only
 * what decides about places and says which images are pulled, and with which names of secrets. No
 * command, environment or other volume is copied, so that a change of these, or a secret in them,
 * never gets into a booking.
 *
 * @param leader that of the first pod
 * @param template that of the others
 * @param size how many pods a replica has
 */
record BookedTemplate(
    Map<String, String> selector, PodTemplateSpec leader, PodTemplateSpec template, int size) {
  /**
   * Of a Deployment, ReplicaSet, StatefulSet or LeaderWorkerSet; empty for other kinds, and where
   * there are no labels to go by, no cards but those of a leader, or a leader that goes to other
   * nodes.
   */
  static Optional<BookedTemplate> of(HasMetadata target) {
    return templates(target)
        .filter(
            it ->
                it.size() <= GpuBookingSpec.LARGEST && isWhole(it.leader()) && isWhole(it.worker()))
        .map(it -> of(ReplicaPods.selector(target), it))
        .filter(it -> !it.selector().isEmpty() && asksForCards(it.template()))
        .filter(BookedTemplate::selectsTheSameNodes);
  }

  /** The one pod of a group of one is its leader. */
  private static BookedTemplate of(Map<String, String> selector, GroupTemplates of) {
    var leader = pruned(of.leader());
    return new BookedTemplate(
        selector, leader, of.size() == 1 ? leader : pruned(of.worker()), of.size());
  }

  /** Cards are kept on nodes that let all pods in that ask for some. */
  private boolean selectsTheSameNodes() {
    return !asksForCards(leader) || NodeRules.areAlike(pod(leader), pod(template));
  }

  private static Optional<GroupTemplates> templates(HasMetadata target) {
    return switch (target) {
      case Deployment it -> single(it.getSpec().getTemplate());
      case ReplicaSet it -> single(it.getSpec().getTemplate());
      case StatefulSet it -> single(it.getSpec().getTemplate());
      case GenericKubernetesResource it -> groups(it);
      default -> Optional.empty();
    };
  }

  private static Optional<GroupTemplates> single(@Nullable PodTemplateSpec template) {
    return Optional.ofNullable(template).map(it -> new GroupTemplates(it, it, 1));
  }

  private static Optional<GroupTemplates> groups(GenericKubernetesResource set) {
    try {
      return Optional.of(GroupTemplates.of(set));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static boolean isWhole(PodTemplateSpec template) {
    return template.getSpec() != null;
  }

  private static boolean asksForCards(PodTemplateSpec template) {
    return CardParts.areAskedFor(List.of(pod(template)));
  }

  /** Whether a replica is several pods that are placed together. */
  boolean isGang() {
    return size > 1;
  }

  /** Whether the first of them asks for cards, and not as the others do. */
  boolean leaderAsksForOthers() {
    return asksForCards(leader) && !requesting(leader).equals(requesting(template));
  }

  /** How many pods of a replica ask for cards. */
  int pods() {
    return asksForCards(leader) ? size : size - 1;
  }

  /** A booking with these needs. */
  GpuBookingSpec with(List<BookingNeed> needs, double price) {
    return new GpuBookingSpec(
        selector,
        template,
        isGang() ? size : null,
        leader.equals(template) ? null : leader,
        needs,
        price);
  }

  /**
   * The same template has the same one, in every process. What is asked by is made of it: a release
   * that makes it otherwise has to change this, too, since Jobs and requests cannot be changed.
   */
  String digest() {
    var all =
        isGang() ? List.of(requesting(leader), requesting(template), size) : requesting(template);
    return Integer.toHexString(Serialization.asYaml(all).hashCode());
  }

  /** That of the first pod, as {@link #requesting()}. */
  PodTemplateSpec requestingLeader() {
    return requesting(leader);
  }

  /**
   * The template with a request for all that is limited, as pods get it when they are created:
   * autoscalers go by requests, and would take a replica that only limits its cards for one without
   * any. What is pulled means nothing to them.
   */
  PodTemplateSpec requesting() {
    return requesting(template);
  }

  private static PodTemplateSpec requesting(PodTemplateSpec template) {
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
    return Stream.of(leader, template)
        .flatMap(it -> it.getSpec().getContainers().stream())
        .map(Container::getResources)
        .filter(Objects::nonNull)
        .flatMap(it -> orEmpty(it.getLimits()).keySet().stream())
        .filter(it -> it.contains("/"))
        .collect(Collectors.toSet());
  }

  /** The cards, or parts of cards, that a replica asks for. */
  double cards(CardParts parts) {
    return parts.cards(List.of(pod(leader))) + (size - 1) * parts.cards(List.of(pod(template)));
  }

  private static Pod pod(PodTemplateSpec template) {
    return new PodBuilder()
        .withNewMetadataLike(template.getMetadata())
        .withNamespace("booked")
        .withName("replica")
        .withUid("replica")
        .endMetadata()
        .withSpec(template.getSpec())
        .build();
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
    return orEmpty(volumes).stream()
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
}
