package io.prescale.controller.scheduler.warm;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether the images of a pod were on its node when it was bound; written on the pod. */
public enum ImageState {
  /** They had been pulled ahead. */
  PULLED_AHEAD,
  /** They were being pulled ahead. */
  PULLING,
  /** The node had them anyway. */
  PRESENT,
  /** The node did not report all of them. */
  ABSENT;

  /** The annotation in which it is written. */
  public static final String ANNOTATION = "gpu.prescale.io/images";

  /** Such as {@code pulled-ahead}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What is written on a pod, if it is one of these. */
  static Optional<ImageState> of(Pod pod) {
    var annotations = orEmpty(pod.getMetadata().getAnnotations());
    var text = annotations.get(ANNOTATION);
    return Arrays.stream(values()).filter(it -> it.word().equals(text)).findFirst();
  }
}
