package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.inventory.Pods;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.moves.Course;
import io.prescale.placement.moves.Resident;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node of eight cards, each with a pod of its own, seven of which are sick. */
class StayingPodsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String REPLICA = "ownerReferences: [{kind: ReplicaSet, controller: true}]";
  private static final String JOB = "ownerReferences: [{kind: Job, controller: true}]";
  private static final String OF_JOB =
      "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]";
  private static final String RAY = "ownerReferences: [{kind: RayCluster, controller: true}]";
  private static final Set<String> SICK =
      IntStream.range(0, 7).mapToObj(card -> "GPU-a-" + card).collect(Collectors.toSet());

  private final Ledger ledger = new Ledger(10);
  private final Map<String, MovablePod> pods = new HashMap<>();

  private void pod(int card, String name, String metadata, String group, int size) {
    var bound =
        Pods.bound(
            Pods.asking(name, Map.of("nvidia.com/gpu", 1L)),
            "a",
            Map.of(
                "hami.io/vgpu-devices-allocated", "GPU-a-%d,NVIDIA,81920,100:;".formatted(card)));
    ledger.seen(group.isEmpty() ? bound : Pods.inGroup(bound, group, size));
    var pod =
        Serialization.unmarshal(
            """
            metadata: {uid: uid-%1$s, namespace: default, name: %1$s, labels: {app: %1$s}, %2$s}
            spec: {containers: []}
            """
                .formatted(name, metadata),
            Pod.class);
    pods.put("uid-" + name, MovablePod.of(pod));
  }

  private MoveSight sight() {
    return new MoveSight(
        ledger.moveFacts(),
        pods,
        MoveSettings.OFF,
        _ -> Optional.empty(),
        SICK,
        pod ->
            Optional.of("its eviction might end Job " + pod.job().orElseThrow())
                .filter(_ -> pod.name().startsWith("rigid")),
        NOW);
  }

  /** Its work is lost there; the Jobs of some pods would not survive an eviction. */
  @Test
  void aPodOfAJobThatSurvivesItLeavesASickCardAndNoOther() {
    ledger.seen(Nodes.a100("a", 8));
    pod(0, "lasting", OF_JOB, "", 0);
    pod(1, "rigid-job", OF_JOB, "", 0);
    pod(2, "forbidden", OF_JOB + ", annotations: {gpu.prescale.io/move: never}", "", 0);
    pod(3, "member", OF_JOB, "gang", 2);
    pod(4, "other-member", OF_JOB, "gang", 2);
    pod(5, "of-ray", RAY, "", 0);
    pod(6, "rigid-allowed", OF_JOB + ", annotations: {gpu.prescale.io/move: allowed}", "", 0);
    pod(7, "well", OF_JOB, "", 0);
    var sight = sight();

    assertThat(sight.staying())
        .isEqualTo(
            Map.of(
                "uid-rigid-job", "its eviction might end Job j",
                "uid-forbidden", "its annotation says so",
                "uid-member", "its gang needs it",
                "uid-other-member", "its gang needs it",
                "uid-of-ray", "its work may be lost"));
    assertThat(
            sight.view(Set.of(), 0, Course.NONE).residents().values().stream()
                .filter(Resident::mayMove)
                .map(Resident::uid))
        .containsExactlyInAnyOrder(
            "uid-lasting", "uid-member", "uid-other-member", "uid-rigid-allowed");
  }

  @Test
  void whatStaysOnASickCardHasAReasonAndWhatMayLeaveHasNone() {
    ledger.seen(Nodes.a100("a", 8));
    pod(0, "served", REPLICA, "", 0);
    pod(1, "training", JOB, "", 0);
    pod(2, "member", REPLICA, "rigid", 2);
    pod(3, "other-member", REPLICA, "rigid", 2);
    pod(4, "spare", REPLICA, "elastic", 1);
    pod(5, "spare-too", REPLICA, "elastic", 1);
    pod(6, "leaving", JOB + ", deletionTimestamp: '2026-11-21T12:00:00Z'", "", 0);
    pod(7, "well", JOB, "", 0);
    var sight = sight();

    assertThat(sight.staying())
        .isEqualTo(
            Map.of(
                "uid-training", "its work may be lost",
                "uid-member", "its gang needs it",
                "uid-other-member", "its gang needs it"));
  }
}
