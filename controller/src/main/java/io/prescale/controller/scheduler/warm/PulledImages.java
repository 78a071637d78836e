package io.prescale.controller.scheduler.warm;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.prescale.placement.inventory.ImageNames;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a replica pulls, and by which right.
 *
 * @param images as they are written, each once
 * @param secrets of its pod that registries ask for
 * @param serviceAccount whose secrets are taken too, unless the pod names some
 * @param tolerations without which the node would let no pod stay
 */
record PulledImages(
    List<String> images,
    List<LocalObjectReference> secrets,
    Optional<String> serviceAccount,
    List<Toleration> tolerations) {
  /** Further ones are not pulled ahead. */
  static final int MOST_IMAGES = 16;

  PulledImages {
    images = List.copyOf(images);
    secrets = List.copyOf(secrets);
    tolerations = List.copyOf(tolerations);
  }

  /**
   * Of containers, init containers, and volumes that are images of all its pods, as the first one
   * may pull them.
   */
  static PulledImages of(List<Pod> replica) {
    var spec = replica.getFirst().getSpec();
    return new PulledImages(
        replica.stream()
            .map(Pod::getSpec)
            .flatMap(PulledImages::images)
            .distinct()
            .limit(MOST_IMAGES)
            .toList(),
        known(spec.getImagePullSecrets()),
        Optional.ofNullable(spec.getServiceAccountName()),
        known(spec.getTolerations()));
  }

  private static Stream<String> images(PodSpec spec) {
    var containers =
        Stream.of(known(spec.getInitContainers()), known(spec.getContainers()))
            .flatMap(List::stream)
            .map(Container::getImage);
    var volumes =
        known(spec.getVolumes()).stream()
            .map(Volume::getImage)
            .filter(Objects::nonNull)
            .map(it -> it.getReference());
    return Stream.concat(containers, volumes).filter(it -> it != null && !it.isBlank());
  }

  /** The same images have the same one, in every process. */
  String digest() {
    return "%08x".formatted(images.hashCode());
  }

  /**
   * Whether a node has all of them. It reports 50 images by default, so that it may have more.
   *
   * @param present canonical names, as {@link ImageNames} makes them
   */
  boolean areOn(Set<String> present) {
    return images.stream().map(ImageNames::canonical).allMatch(present::contains);
  }

  /** A list may be missing, and may have missing elements. */
  private static <T> List<T> known(@Nullable List<T> list) {
    return list == null ? List.of() : list.stream().filter(Objects::nonNull).toList();
  }
}
