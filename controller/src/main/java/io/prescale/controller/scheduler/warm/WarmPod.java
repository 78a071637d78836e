package io.prescale.controller.scheduler.warm;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.controller.api.v1alpha1.Shortened;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pod of ours that pulls images, as it was seen last.
 *
 * @param booking UID of the GpuBooking that owns it
 * @param digest of the images
 * @param attempt from 1
 * @param since when it was first seen in its state
 * @param why it has failed; empty if it has not
 */
record WarmPod(
    String namespace,
    String name,
    String booking,
    String node,
    String digest,
    int attempt,
    State state,
    Instant since,
    String why,
    boolean isLeaving) {
  /** The label by which such pods are known; its value is the digest. */
  static final String LABEL = "gpu.prescale.io/warm";

  /** The annotation with the number of the attempt. */
  static final String ATTEMPT = "gpu.prescale.io/warm-attempt";

  private static final String OWNER = "GpuBooking";
  private static final int LONGEST_REASON = 300;

  /** What the kubelet takes at most to end a pod whose time is over, and to report it. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  /** With which the kubelet waits for an image that it may never get. */
  private static final Set<String> PULL_ERRORS =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "InvalidImageName",
          "ErrImageNeverPull",
          "RegistryUnavailable",
          "SignatureValidationFailed",
          "ImageInspectError",
          "CreateContainerError",
          "CreateContainerConfigError");

  /** How far it is. */
  enum State {
    /** Its images are being pulled. */
    PULLING,
    /** It has ended well: the images are there, and stay while it is. */
    PULLED,
    /** It has failed, or an image cannot be pulled; the kubelet goes on trying for a while. */
    FAILED
  }

  /** Reads one; empty for all other pods. What users have written makes no difference. */
  static Optional<WarmPod> of(Pod pod, Instant now) {
    var meta = pod.getMetadata();
    var digest = orEmpty(meta.getLabels()).get(LABEL);
    var owner =
        orEmpty(meta.getOwnerReferences()).stream()
            .filter(it -> OWNER.equals(it.getKind()) && Boolean.TRUE.equals(it.getController()))
            .map(OwnerReference::getUid)
            .findFirst();
    var node = pod.getSpec().getNodeName();
    if (digest == null || owner.isEmpty() || node == null) {
      return Optional.empty();
    }
    var why = why(pod);
    return Optional.of(
        new WarmPod(
            meta.getNamespace(),
            meta.getName(),
            owner.get(),
            node,
            digest,
            attempt(orEmpty(meta.getAnnotations()).get(ATTEMPT)),
            state(pod, why),
            now,
            why,
            meta.getDeletionTimestamp() != null));
  }

  private static int attempt(@Nullable String text) {
    return text != null && text.matches("[0-9]{1,4}") ? Math.max(1, Integer.parseInt(text)) : 1;
  }

  private static State state(Pod pod, String why) {
    var phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    if ("Succeeded".equals(phase)) {
      return State.PULLED;
    }
    return why.isEmpty() ? State.PULLING : State.FAILED;
  }

  private static String why(Pod pod) {
    var status = pod.getStatus();
    if (status == null) {
      return "";
    }
    if ("Failed".equals(status.getPhase())) {
      return sentence(
          Objects.requireNonNullElse(status.getReason(), "Failed"), status.getMessage());
    }
    return orEmpty(status.getContainerStatuses()).stream()
        .flatMap(WarmPod::waiting)
        .filter(it -> PULL_ERRORS.contains(String.valueOf(it.getReason())))
        .map(it -> sentence(it.getReason(), it.getMessage()))
        .findFirst()
        .orElse("");
  }

  private static Stream<ContainerStateWaiting> waiting(ContainerStatus status) {
    return Stream.ofNullable(status.getState()).flatMap(it -> Stream.ofNullable(it.getWaiting()));
  }

  private static String sentence(String reason, @Nullable String message) {
    var text = message == null || message.isBlank() ? reason : reason + ": " + message.strip();
    return Shortened.to(LONGEST_REASON, text);
  }

  /** The same, in its state since it was first seen in it. */
  WarmPod after(@Nullable WarmPod before) {
    return before == null || before.state() != state
        ? this
        : new WarmPod(
            namespace, name, booking, node, digest, attempt, state, before.since(), why, isLeaving);
  }

  /** The same; failed if it still pulls when its kubelet should have ended it long ago. */
  WarmPod within(Duration patience, Instant now) {
    var end = since.plus(patience).plus(GRACE);
    return state != State.PULLING || now.isBefore(end)
        ? this
        : new WarmPod(
            namespace,
            name,
            booking,
            node,
            digest,
            attempt,
            State.FAILED,
            end,
            "its time is over, and the node does not end it",
            isLeaving);
  }

  String key() {
    return namespace + "/" + name;
  }
}
