package io.prescale.controller.scheduler.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.consolidation.Move.Reason;
import io.prescale.placement.moves.MoveNotice;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pods say about being moved, whatever users write, and when moves are made. */
class MovablePodTest {
  private static final Instant NOON = Instant.parse("2026-11-24T12:00:00Z");
  private static final String OWNED =
      ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, controller: true}]";

  private static MovablePod pod(String metadata, String spec) {
    return MovablePod.of(
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {uid: u, namespace: team, name: p, labels: {app: llm}%s}
            spec: {containers: []%s}
            """
                .formatted(metadata, spec),
            Pod.class));
  }

  @ParameterizedTest
  @CsvSource({
    "Running,True,false",
    "Running,False,true",
    "Pending,False,true",
    "Succeeded,False,false",
    "Failed,False,false"
  })
  void aPodIsAwaitedUntilItIsReadyOrHasEnded(String phase, String ready, boolean isAwaited) {
    var status =
        "}\nstatus: {phase: %s, conditions: [{type: Ready, status: \"%s\"}]"
            .formatted(phase, ready);

    assertThat(pod("", status).isAwaited()).isEqualTo(isAwaited);
  }

  static Stream<MoveNotice> notices() {
    return Stream.of(
        new MoveNotice(NOON, "n.1", Set.of("GPU-1", "GPU-2"), Reason.SICK_CARD, Optional.empty()),
        new MoveNotice(NOON, "n", Set.of("GPU-1"), Reason.DEFRAGMENTS, Optional.empty()),
        new MoveNotice(NOON, "n", Set.of("GPU-1"), Reason.MAKES_WAY, Optional.of("uid-1")));
  }

  @ParameterizedTest
  @MethodSource("notices")
  void aNoticeIsReadBack(MoveNotice notice) {
    var written = new HashMap<String, String>();
    WrittenMove.of(Optional.of(notice)).forEach(written::put);

    assertThat(WrittenMove.read(written)).contains(notice);
    assertThat(WrittenMove.isIn(written)).isTrue();
    assertThat(WrittenMove.of(Optional.empty()))
        .hasSize(3)
        .allSatisfy((_, it) -> assertThat(it).isNull());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "soon|n: GPU-1|sick-card",
        "2026-11-24T12:00:00Z|n GPU-1|sick-card",
        "2026-11-24T12:00:00Z|n: |sick-card",
        "2026-11-24T12:00:00Z|n: GPU-1,|sick-card",
        "2026-11-24T12:00:00Z|n: a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a|sick-card",
        "2026-11-24T12:00:00Z|N: GPU-1|sick-card",
        "2026-11-24T12:00:00Z|n: GPU\",\"x|sick-card",
        "2026-11-24T12:00:00Z|n: GPU-1|",
        "2026-11-24T12:00:00Z|n: GPU-1|pod ",
        "2026-11-24T12:00:00Z|n: GPU-1|pod \"x",
        "+1000000001-01-01T00:00:00Z|n: GPU-1|sick-card",
        "+1000000000-12-31T23:59:59Z|n: GPU-1|sick-card",
        "-1000000000-01-01T00:00:00Z|n: GPU-1|sick-card",
      })
  void aNoticeThatMakesNoSenseIsNone(String at, String to, String purpose) {
    var written =
        Map.of(
            WrittenMove.AT,
            at,
            WrittenMove.TO,
            to,
            WrittenMove.FOR,
            Optional.ofNullable(purpose).orElse(""));

    assertThat(WrittenMove.read(written)).isEmpty();
    assertThat(WrittenMove.isIn(written)).isTrue();
    assertThat(WrittenMove.isIn(Map.of(WrittenMove.MOVED, "x"))).isFalse();
  }

  @Test
  void podsOfReplicaSetsMayMoveAndReplaceEachOther() {
    var pod = pod(OWNED + ", annotations: {gpu.prescale.io/moved-at: '2026-11-24T12:00:00Z'}", "");

    assertThat(pod.objection()).isEmpty();
    assertThat(pod.movedAt()).contains(NOON);
    assertThat(pod.kinKey()).isEqualTo("team{app=llm}");
    assertThat(pod.isMarked()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hami.io/vgpu-node: n, topology.kubernetes.io/zone: z|team{app=llm}",
        "pod-template-hash: 5d4|team{pod-template-hash=5d4}",
        "statefulset.kubernetes.io/pod-name: s-0, controller-revision-hash:"
            + " x|team{statefulset.kubernetes.io/pod-name=s-0}",
        "release: canary|team{app=llm, release=canary}",
      })
  void aReplacementIsKnownByLabelsThatItWillHaveToo(String more, String kin) {
    var pod =
        Serialization.unmarshal(
            """
            metadata: {uid: u, namespace: team, name: p, labels: {app: llm, %s}}
            spec: {containers: []}
            """
                .formatted(more),
            Pod.class);

    assertThat(MovablePod.of(pod).kinKey()).isEqualTo(kin);
  }

  @Test
  void aPodWithoutLabelsOfItsOwnHasNoKin() {
    var pod =
        Serialization.unmarshal(
            """
            metadata: {uid: u, namespace: team, name: p, labels: {hami.io/vgpu-node: n}}
            spec: {containers: []}
            """,
            Pod.class);

    assertThat(MovablePod.of(pod).kin()).isEmpty();
    assertThat(MovablePod.of(pod).kinKey()).isEqualTo("u");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|''|no controller makes it again",
        ", annotations: {gpu.prescale.io/move: allowed}|''|no controller makes it again",
        ", ownerReferences: [{kind: DaemonSet, controller: true}]|''|no controller makes it again",
        ", ownerReferences: [{kind: Job, controller: true}]|''|its work may be lost",
        ", ownerReferences: [{kind: RayCluster, controller: true}]|''|its work may be lost",
        "OWNED, annotations: {gpu.prescale.io/move: never}|''|its annotation says so",
        "OWNED, annotations: {karpenter.sh/do-not-disrupt: 'true'}|''|it is not to be disrupted",
        "OWNED, annotations: {cluster-autoscaler.kubernetes.io/safe-to-evict: 'false'}|''|it is not"
            + " to be disrupted",
        "OWNED, annotations: {gpu.prescale.io/reclaim-at: x}|''|it has notice to give its cards"
            + " back",
        "OWNED|, priority: 2000000000|it is critical",
        "OWNED|, volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]|it is bound by more"
            + " than node labels and taints",
        "OWNED|, topologySpreadConstraints: [{whenUnsatisfiable: DoNotSchedule}]|it is bound by"
            + " more than node labels and taints",
        "OWNED|, affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: h}]}}|it is bound by more than node labels and taints",
        "OWNED|, affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: []}}}|it is bound by more than node labels and taints",
      })
  void othersStayWithAReason(String metadata, String spec, String why) {
    assertThat(pod(metadata.replace("OWNED", OWNED), spec).objection()).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "JOB|''|''",
        "JOB, annotations: {gpu.prescale.io/move: never}|''|its annotation says so",
        "JOB|, volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]|it is bound by more"
            + " than node labels and taints",
        "JOB|, priority: 2000000000|it is critical",
        ", ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: j, controller:"
            + " true}]|''|its work may be lost",
      })
  void theWorkOfAJobsPodIsLostOnASickCardInAnyCase(String metadata, String spec, String why) {
    var job = ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]";
    var pod = pod(metadata.replace("JOB", job), spec);

    assertThat(pod.objectionIfSick().orElse("")).isEqualTo(why);
    assertThat(pod.objection()).as("on a well card").isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Job", "ReplicaSet"})
  void whatKnowsItsWorkMayOptIn(String kind) {
    var metadata =
        ", ownerReferences: [{kind: %s, controller: true}], annotations: {gpu.prescale.io/move: allowed}"
            .formatted(kind);
    var claim = ", volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]";

    assertThat(pod(metadata, claim).objection()).isEmpty();
  }

  @Test
  void aPreferenceBindsToNothing() {
    var preferred = "{preferredDuringSchedulingIgnoredDuringExecution: []}";

    assertThat(
            pod(OWNED, ", affinity: {nodeAffinity: %1$s, podAffinity: %1$s}".formatted(preferred))
                .objection())
        .isEmpty();
  }

  @Test
  void windowsAreOpenEveryDayByTheirClock() {
    var night = DailyWindow.read("22:00-06:00 Europe/Berlin, 12:00-13:00");

    assertThat(night)
        .containsExactly(
            new DailyWindow(LocalTime.of(22, 0), LocalTime.of(6, 0), ZoneId.of("Europe/Berlin")),
            DailyWindow.read("12:00-13:00").getFirst());
    assertThat(night.getFirst().contains(Instant.parse("2026-11-24T21:00:00Z"))).isTrue();
    assertThat(night.getFirst().contains(Instant.parse("2026-11-24T20:59:00Z"))).isFalse();
    assertThat(night.getFirst().contains(Instant.parse("2026-11-24T04:59:00Z"))).isTrue();
    assertThat(night.getFirst().contains(Instant.parse("2026-11-24T05:00:00Z"))).isFalse();
    assertThat(night.getLast().contains(NOON)).isTrue();
    assertThat(night.getLast().contains(NOON.plusSeconds(3600))).isFalse();
    assertThat(DailyWindow.read(" ")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"22:00", "22-06", "25:00-06:00", "22:00-06:00 Mars", "06:00-06:00", ",", "a-b c"})
  void aWindowThatMakesNoSenseIsRefused(String text) {
    assertThatThrownBy(() -> DailyWindow.read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotEmpty();
  }

  @Test
  void settingsRefuseNonsense() {
    assertThatThrownBy(
            () ->
                new MoveSettings(
                    MoveSettings.OFF.policy(), Duration.ZERO, Duration.ZERO, List.of()))
        .hasMessageContaining("give more than 0");
  }

  @Test
  void aCardIsSickForLongOnlyWithoutAPause() {
    var since = new SickSince();
    var five = Duration.ofMinutes(5);
    assertThat(since.longerThan(five, Set.of("a", "b"), NOON)).isEmpty();
    assertThat(since.longerThan(five, Set.of("a"), NOON.plusSeconds(100))).isEmpty();

    assertThat(since.longerThan(five, Set.of("a", "b"), NOON.plusSeconds(300)))
        .containsExactly("a");
  }
}
