package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.cluster.GpuDemand;
import io.prescale.placement.cluster.RequestShape;
import io.prescale.placement.notice.CardHolder;
import io.prescale.placement.notice.Notice;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.SuspendedWork;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pods say about being taken back, whatever users write. */
class PodTermsTest {
  private static PodTerms terms(String metadata, String spec) {
    return PodTerms.of(
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {uid: u, namespace: team, name: p%s}
            spec: {containers: []%s}
            """
                .formatted(metadata, spec),
            Pod.class));
  }

  @Test
  void aNoticeIsReadBack() {
    var pod =
        terms(
            ", annotations: {gpu.prescale.io/reclaim-at: '2026-11-23T12:00:00Z',"
                + " gpu.prescale.io/reclaim-for: c}",
            "");

    assertThat(pod.notice()).contains(new Notice("c", Instant.parse("2026-11-23T12:00:00Z")));
    assertThat(pod.isLeaving()).isFalse();
    assertThat(pod.isExempt()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu.prescale.io/reclaim-at: soon, gpu.prescale.io/reclaim-for: c",
        "gpu.prescale.io/reclaim-at: '', gpu.prescale.io/reclaim-for: c",
        "gpu.prescale.io/reclaim-at: '2026-11-23T12:00:00Z'",
        "gpu.prescale.io/reclaim-at: '2026-11-23T12:00:00Z', gpu.prescale.io/reclaim-for: ' '",
        "gpu.prescale.io/reclaim-at: '+1000000001-01-01T00:00:00Z', gpu.prescale.io/reclaim-for: c",
      })
  void aNoticeThatMakesNoSenseIsNone(String annotations) {
    var pod = terms(", annotations: {" + annotations + "}", "");

    assertThat(pod.notice()).isEmpty();
    assertThat(pod.isNoticed()).isTrue();
  }

  /** What makes no sense is not said; more than a day counts as a day. */
  @ParameterizedTest
  @CsvSource({
    "45m, PT45M",
    "0s, PT0S",
    "24h, PT24H",
    "25h, PT24H",
    "999999h, PT24H",
    "'',",
    "' ',",
    "-5m,",
    "9999999m,",
    "NaN,",
    "1.5h,",
    "45,"
  })
  void aPodSaysWhatItsPauseCosts(String text, @Nullable Duration cost) {
    var pod = terms(", annotations: {gpu.prescale.io/pause-cost: '" + text + "'}", "");

    assertThat(pod.pauseCost()).isEqualTo(Optional.ofNullable(cost));
    assertThat(terms("", "").pauseCost()).isEmpty();
  }

  @Test
  void podsMayOptOutAndCriticalOnesAreNeverTaken() {
    assertThat(terms(", annotations: {gpu.prescale.io/reclaim: never}", "").isExempt()).isTrue();
    assertThat(terms("", ", priority: 2000000000").isExempt()).isTrue();
    assertThat(terms("", ", priority: 1999999999").isExempt()).isFalse();
  }

  private static Optional<String> assumed(String metadata) {
    return Owners.assumed(terms(metadata, "")).workload().map(Suspendable::key);
  }

  @Test
  void aPodSaysWithWhatItIsSuspendedUnlessAnotherControllerRunsThat() {
    var job = ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]";
    assertThat(assumed(job)).contains("Job team/j");
    assertThat(assumed(job + ", labels: {kueue.x-k8s.io/queue-name: s}")).isEmpty();
    assertThat(assumed(job.replace("kind: Job", "kind: ReplicaSet"))).isEmpty();
    assertThat(assumed(job.replace("batch/v1", "batch.volcano.sh/v1alpha1"))).isEmpty();
    assertThat(assumed("")).isEmpty();
    assertThat(assumed(", ownerReferences: [{controller: true}]")).isEmpty();
  }

  /** As the plan groups them, which reads no owners. */
  @ParameterizedTest
  @CsvSource({
    "batch/v1, Job, jobset.sigs.k8s.io/jobset-name, JobSet team/whole",
    "batch/v1, Job, training.kubeflow.org/job-name, MPIJob team/whole",
    "kubeflow.org/v2beta1, MPIJob, training.kubeflow.org/job-name, MPIJob team/j",
    "kubeflow.org/v1, PyTorchJob, training.kubeflow.org/job-name, PyTorchJob team/j",
    "ray.io/v1, RayCluster, ray.io/cluster, RayJob team/j",
  })
  void itsLabelsSayWhatIsBehindItsJob(String version, String kind, String label, String whole) {
    var owner =
        ", ownerReferences: [{apiVersion: %s, kind: %s, name: j, controller: true}]"
            .formatted(version, kind);

    assertThat(assumed("%s, labels: {%s: whole}".formatted(owner, label))).contains(whole);
  }

  @Test
  void takingsAreCountedForAnHour() {
    var now = Instant.parse("2026-11-23T12:00:00Z");
    var registry = new CollectorRegistry();
    var takings = new Takings(new ReclaimMetrics(registry));
    var pod = holder("p", Optional.empty());
    var taking =
        new Takings.Taking(
            pod, ReclaimMetrics.How.EVICTED, Duration.ofMinutes(40), Optional.of("r"));
    takings.taken(taking, now);
    takings.taken(taking, now.plusSeconds(5));
    assertThat(takings.inTheHour("q", now.plusSeconds(3600))).isEqualTo(1);
    assertThat(takings.inTheHour("q", now.plusSeconds(3601))).isZero();
    assertThat(takings.inTheHour("other", now)).isZero();
    assertThat(
            registry.getSampleValue(
                "prescale_reclaim_pods_total",
                new String[] {"gpuqueue", "how"},
                new String[] {"q", "evicted"}))
        .isEqualTo(1);
    assertThat(count(registry, "cards")).isEqualTo(1.5);
    assertThat(count(registry, "ended_gpu_hours")).isEqualTo(1);
    assertThat(
            registry.getSampleValue(
                "prescale_reclaim_received_cards_total",
                new String[] {"gpuqueue"},
                new String[] {"r"}))
        .isEqualTo(1.5);
  }

  private static double count(CollectorRegistry registry, String name) {
    return registry.getSampleValue(
        "prescale_reclaim_%s_total".formatted(name), new String[] {"gpuqueue"}, new String[] {"q"});
  }

  /** It has a card and a half. */
  private static CardHolder holder(String uid, Optional<String> job) {
    return new CardHolder(
        uid,
        "q",
        1500,
        ReclaimPolicy.Mode.ACT,
        false,
        Duration.ZERO,
        Duration.ZERO,
        Optional.empty(),
        Optional.empty(),
        job,
        false);
  }

  private static SuspendedWork work(String job, int pods, Instant since) {
    var shape = RequestShape.of(1, GpuDemand.WholeGpu.ANY);
    return new SuspendedWork(
        job, Map.of("q", pods * 1500L), Collections.nCopies(pods, shape), since);
  }

  @Test
  void theNextJobIsResumedWhenThePodsOfTheLastOneHaveTheirCardsOrHaveToWait() {
    var now = Instant.parse("2026-11-23T12:00:00Z");
    var resumptions = new Resumptions();
    assertThat(resumptions.areOver(List.of(), now)).isTrue();

    resumptions.begun(work("j", 2, now), List.of(), now);
    var one = holder("a", Optional.of("j"));
    var other = holder("b", Optional.of("k"));
    assertThat(resumptions.areOver(List.of(one, other), now.plusSeconds(1))).isFalse();
    var two = holder("c", Optional.of("j"));
    assertThat(resumptions.areOver(List.of(one, two), now.plusSeconds(2))).isTrue();

    resumptions.begun(work("j", 2, now), List.of(), now);
    assertThat(resumptions.areOver(List.of(), now.plusSeconds(29))).isFalse();
    assertThat(resumptions.areOver(List.of(), now.plusSeconds(30))).isTrue();
  }

  @Test
  void aPauseCostsItsCardsForAsLongAsItLastedIfThatIsKnown() {
    var now = Instant.parse("2026-11-23T12:00:00Z");
    var registry = new CollectorRegistry();
    var metrics = new ReclaimMetrics(registry);

    metrics.resumed(work("j", 2, now.minusSeconds(5400)), now);
    metrics.resumed(work("k", 2, Instant.EPOCH), now);
    metrics.resumed(work("l", 2, now.plusSeconds(60)), now);

    assertThat(count(registry, "resumed")).isEqualTo(3);
    assertThat(count(registry, "paused_gpu_hours")).isEqualTo(4.5);
  }
}
