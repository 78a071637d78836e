package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.prescale.controller.api.v1alpha1.RolloutStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RevisionsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final Instant NOW = minute(60);

  private static Instant minute(int minute) {
    return NOON.plusSeconds(60L * minute);
  }

  private static Pod pod(int minute, String revision) {
    return pod(minute, Map.of("pod-template-hash", revision));
  }

  private static Pod pod(int minute, Map<String, String> labels) {
    return new PodBuilder()
        .withNewMetadata()
        .withLabels(labels)
        .withCreationTimestamp(minute(minute).toString())
        .endMetadata()
        .build();
  }

  @Test
  void theFirstLookKnowsNoTime() {
    assertThat(Revisions.newest(List.of(pod(0, "a"), pod(9, "a")), null, NOW))
        .isEqualTo(new RolloutStatus("a", null));
    assertThat(Revisions.newest(List.of(), null, NOW)).isNull();
    assertThat(
            Revisions.newest(
                List.of(new PodBuilder().withNewMetadata().endMetadata().build()), null, NOW))
        .isNull();
  }

  @Test
  void aRolloutBeginsWithItsFirstPod() {
    var before = new RolloutStatus("a", null);
    var during = List.of(pod(0, "a"), pod(10, "b"), pod(11, "b"), pod(12, "a"));
    var after = List.of(pod(10, "b"), pod(11, "b"));

    assertThat(Revisions.newest(during, before, NOW)).as("until it is over").isEqualTo(before);
    assertThat(Revisions.newest(after, before, NOW)).isEqualTo(new RolloutStatus("b", minute(10)));
  }

  @Test
  void aDrainBesideACanaryIsNoRollout() {
    var before = new RolloutStatus("stable", null);
    var drained = List.of(pod(10, "canary"), pod(40, "stable"), pod(41, "stable"));
    var renewed = List.of(pod(50, "canary"), pod(40, "stable"), pod(41, "stable"));

    assertThat(Revisions.newest(drained, before, NOW)).isEqualTo(before);
    assertThat(Revisions.newest(renewed, before, NOW)).isEqualTo(before);
  }

  @Test
  void itsTimeStaysWhenItsFirstPodsAreGone() {
    var before = new RolloutStatus("b", minute(10));

    assertThat(Revisions.newest(List.of(pod(40, "b")), before, NOW)).isEqualTo(before);
    assertThat(Revisions.newest(List.of(), before, NOW)).as("at 0").isEqualTo(before);
  }

  @Test
  void aRollbackCountsFromItsFirstNewPod() {
    var before = new RolloutStatus("b", minute(10));

    assertThat(Revisions.newest(List.of(pod(0, "a"), pod(20, "a")), before, NOW))
        .isEqualTo(new RolloutStatus("a", minute(20)));
    assertThat(Revisions.newest(List.of(pod(0, "a")), before, NOW))
        .as("no pod was replaced yet")
        .isEqualTo(new RolloutStatus("a", NOW));
  }

  @Test
  void aGroupIsOfTheRevisionOfItsLeaderWorkerSet() {
    var leader =
        Map.of(
            "controller-revision-hash", "chat-5f",
            "leaderworkerset.sigs.k8s.io/template-revision-hash", "r1");
    var worker =
        Map.of(
            "controller-revision-hash", "chat-0-77",
            "leaderworkerset.sigs.k8s.io/template-revision-hash", "r1");

    assertThat(Revisions.newest(List.of(pod(0, leader), pod(1, worker)), null, NOW))
        .isEqualTo(new RolloutStatus("r1", null));
  }

  @Test
  void statefulSetsAndRolloutsHaveRevisionsToo() {
    var ofSet = pod(0, Map.of("controller-revision-hash", "chat-5f"));
    var ofRollout = pod(0, Map.of("rollouts-pod-template-hash", "r7"));

    assertThat(Revisions.newest(List.of(ofSet), null, NOW))
        .isEqualTo(new RolloutStatus("chat-5f", null));
    assertThat(Revisions.newest(List.of(ofRollout), null, NOW))
        .isEqualTo(new RolloutStatus("r7", null));
  }
}
