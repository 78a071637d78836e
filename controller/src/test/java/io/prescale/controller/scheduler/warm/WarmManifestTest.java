package io.prescale.controller.scheduler.warm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.scheduler.warm.WarmPod.State;
import io.prescale.placement.inventory.PodSelector;
import io.prescale.placement.ledger.Booking.Need;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WarmManifestTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final WarmSettings SETTINGS =
      new WarmSettings(
          true,
          "prescale:1",
          List.of("/opt/java/bin/java", "-version"),
          4,
          Duration.ofMinutes(30),
          Duration.ofMinutes(20));

  private static final String REPLICA =
      """
      metadata: {namespace: models, name: llm}
      spec:
        serviceAccountName: llm
        imagePullSecrets: [{name: registry}]
        tolerations: [{key: gpu, operator: Exists}]
        volumes:
        - {name: weights, image: {reference: example.com/weights:3}}
        - {name: keys, secret: {secretName: keys}}
        initContainers: [{name: init, image: busybox}]
        containers:
        - {name: server, image: "vllm/vllm-openai:v1", command: [serve], env: [{name: A, value: b}]}
        - {name: helper, image: busybox}
      """;

  private static WarmBooking booking() {
    return new WarmBooking(
        "models/llm",
        "0-1-2",
        new PodSelector("models", Map.of("app", "llm")),
        List.of(Serialization.unmarshal(REPLICA, Pod.class)),
        1,
        List.of(
            new Need(NOW.plusSeconds(3600), NOW.plusSeconds(7200), 4, 0.9),
            new Need(NOW.plusSeconds(1200), NOW.plusSeconds(7200), 2, 0.9)),
        Optional.empty());
  }

  private static Pod pod() {
    return WarmManifest.of(booking(), "n1", 1, SETTINGS);
  }

  @Test
  void itMountsTheImagesAndRunsNothingOfTheirs() {
    var spec = pod().getSpec();

    assertThat(spec.getVolumes())
        .extracting(it -> it.getImage().getReference())
        .containsExactly("busybox", "vllm/vllm-openai:v1", "example.com/weights:3");
    assertThat(spec.getContainers()).hasSize(1);
    var container = spec.getContainers().getFirst();
    assertThat(container.getImage()).isEqualTo("prescale:1");
    assertThat(container.getCommand()).containsExactly("/opt/java/bin/java", "-version");
    assertThat(container.getEnv()).isEmpty();
    assertThat(container.getVolumeMounts()).hasSize(3).allMatch(it -> it.getReadOnly());
    assertThat(spec.getInitContainers()).isEmpty();
    assertThat(spec.getNodeName()).isEqualTo("n1");
    assertThat(spec.getAutomountServiceAccountToken()).isFalse();
    assertThat(spec.getServiceAccountName()).as("for its pull secrets").isEqualTo("llm");
    assertThat(spec.getImagePullSecrets())
        .extracting(it -> it.getName())
        .containsExactly("registry");
    assertThat(spec.getTolerations()).hasSize(1);
    assertThat(spec.getActiveDeadlineSeconds()).isEqualTo(1200);
  }

  @Test
  void itIsNoPodOfTheServiceAndGoesWithItsBooking() {
    var meta = pod().getMetadata();

    assertThat(meta.getLabels()).doesNotContainKey("app");
    assertThat(meta.getOwnerReferences())
        .singleElement()
        .satisfies(it -> assertThat(it.getUid()).isEqualTo("0-1-2"));
    assertThat(meta.getName())
        .isEqualTo(pod().getMetadata().getName())
        .isNotEqualTo(WarmManifest.of(booking(), "n1", 2, SETTINGS).getMetadata().getName())
        .isNotEqualTo(WarmManifest.of(booking(), "n2", 1, SETTINGS).getMetadata().getName())
        .hasSizeLessThan(63);
  }

  @Test
  void eksMountsNoRoleOfTheServiceAccount() {
    assertThat(pod().getMetadata().getAnnotations())
        .containsEntry(
            "eks.amazonaws.com/skip-containers",
            pod().getSpec().getContainers().getFirst().getName());
  }

  @Test
  void aPodThatHasLostItsImagesIsNotWhole() {
    var without = new PodBuilder(pod()).editSpec().withVolumes().endSpec().build();

    assertThat(WarmManifest.isWhole(pod(), pod())).isTrue();
    assertThat(WarmManifest.isWhole(pod(), without)).isFalse();
  }

  @Test
  void itIsReadBackAsItWasWritten() {
    var read = WarmPod.of(pod(), NOW).orElseThrow();

    assertThat(read.booking()).isEqualTo("0-1-2");
    assertThat(read.digest()).isEqualTo(booking().images().digest());
    assertThat(read.attempt()).isEqualTo(1);
    assertThat(read.state()).isEqualTo(State.PULLING);
    var ended = phase("Succeeded");
    assertThat(WarmPod.of(ended, NOW).orElseThrow().state()).isEqualTo(State.PULLED);
    var failed = phase("Failed");
    failed.getStatus().setReason("DeadlineExceeded");
    assertThat(WarmPod.of(failed, NOW).orElseThrow().why()).isEqualTo("DeadlineExceeded");
  }

  private static Pod phase(String phase) {
    return new PodBuilder(pod()).withNewStatus().withPhase(phase).endStatus().build();
  }

  @Test
  void anImageThatCannotBePulledIsAFailureSinceItWasFirstSeen() {
    var stuck = phase("Pending");
    stuck
        .getStatus()
        .setContainerStatuses(
            List.of(
                new ContainerStatusBuilder()
                    .withState(
                        new ContainerStateBuilder()
                            .withNewWaiting("no such image", "ErrImagePull")
                            .build())
                    .build()));
    var first = WarmPod.of(stuck, NOW).orElseThrow();

    assertThat(first.state()).isEqualTo(State.FAILED);
    assertThat(first.why()).isEqualTo("ErrImagePull: no such image");
    assertThat(WarmPod.of(stuck, NOW.plusSeconds(60)).orElseThrow().after(first).since())
        .isEqualTo(NOW);
  }

  @Test
  void podsOfOthersAreNotRead() {
    var unowned = new PodBuilder(pod()).editMetadata().withOwnerReferences().endMetadata().build();
    var unlabelled =
        new PodBuilder(pod()).editMetadata().withLabels(Map.of()).endMetadata().build();
    var unbound = new PodBuilder(pod()).editSpec().withNodeName(null).endSpec().build();
    var odd =
        new PodBuilder(pod())
            .editMetadata()
            .withAnnotations(Map.of(WarmPod.ATTEMPT, "-1"))
            .endMetadata()
            .build();

    assertThat(List.of(unowned, unlabelled, unbound))
        .allSatisfy(it -> assertThat(WarmPod.of(it, NOW)).isEmpty());
    assertThat(WarmPod.of(odd, NOW).orElseThrow().attempt()).isEqualTo(1);
  }

  @Test
  void namesOfImagesAreComparedAsTheRuntimeWritesThem() {
    var images = booking().images();

    assertThat(
            images.areOn(
                Set.of(
                    "docker.io/library/busybox:latest",
                    "docker.io/vllm/vllm-openai:v1",
                    "example.com/weights:3",
                    "other")))
        .isTrue();
    assertThat(images.areOn(Set.of("docker.io/library/busybox:latest"))).isFalse();
    assertThat(images.digest()).matches("[0-9a-f]{8}");
  }

  @Test
  void aBookingIsNeededFromAheadOfItsFirstNeedToItsLastEnd() {
    var ahead = Duration.ofMinutes(10);

    assertThat(booking().isNeeded(NOW.plusSeconds(599), ahead)).isFalse();
    assertThat(booking().isNeeded(NOW.plusSeconds(600), ahead)).isTrue();
    assertThat(booking().mostNodes(NOW.plusSeconds(600), ahead)).isEqualTo(2);
    assertThat(booking().mostNodes(NOW.plusSeconds(3000), ahead)).isEqualTo(4);
    assertThat(booking().isNeeded(NOW.plusSeconds(7200), ahead)).isFalse();
  }

  @Test
  void placesOfAMomentAreNotPulledTo() {
    var steady = new SteadyPlaces();
    var places = Map.of("llm", Map.of("n1", NOW));

    assertThat(steady.of(places, NOW).get("llm")).isEmpty();
    assertThat(steady.of(places, NOW.plusSeconds(10)).get("llm")).containsOnlyKeys("n1");
    assertThat(steady.of(Map.of("llm", Map.of()), NOW.plusSeconds(25)).get("llm")).isEmpty();
    assertThat(steady.of(places, NOW.plusSeconds(30)).get("llm")).as("begins anew").isEmpty();
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(
            () ->
                new WarmSettings(
                    true, "", List.of("true"), 1, Duration.ZERO, Duration.ofMinutes(1)))
        .hasMessageContaining("give both");
    assertThatThrownBy(
            () ->
                new WarmSettings(
                    false, "", List.of(), 1, Duration.ofHours(2), Duration.ofMinutes(1)))
        .hasMessageContaining("at most an hour");
  }
}
