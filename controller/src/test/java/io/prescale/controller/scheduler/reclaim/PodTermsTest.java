package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.placement.notice.Notice;
import java.time.Duration;
import java.time.Instant;
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
    assertThat(terms(", annotations: {" + annotations + "}", "").notice()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"90s, PT90S", "5m, PT5M", "0s, PT0S", "2h, PT2H", "-5m,", "1d,", "99999999s,", "x,"})
  void aWishIsADurationOrNone(String text, @Nullable Duration wish) {
    assertThat(PodTerms.duration(text)).isEqualTo(Optional.ofNullable(wish));
  }

  @Test
  void podsMayOptOutAndCriticalOnesAreNeverTaken() {
    assertThat(terms(", annotations: {gpu.prescale.io/reclaim: never}", "").isExempt()).isTrue();
    assertThat(terms("", ", priority: 2000000000").isExempt()).isTrue();
    assertThat(terms("", ", priority: 1999999999").isExempt()).isFalse();
  }

  @Test
  void onlyPodsOfAJobThatNoOtherControllerRunsAreSuspendedWithIt() {
    var job = ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, controller: true}]";
    assertThat(terms(job, "").workload()).contains("team/j");
    assertThat(terms(job + ", labels: {jobset.sigs.k8s.io/jobset-name: s}", "").workload())
        .isEmpty();
    assertThat(terms(job + ", labels: {kueue.x-k8s.io/queue-name: s}", "").workload()).isEmpty();
    assertThat(terms(job.replace("kind: Job", "kind: ReplicaSet"), "").workload()).isEmpty();
    assertThat(terms(job.replace("true", "false"), "").workload()).isEmpty();
  }

  @Test
  void attemptsAreSpacedUpToAMinuteAndTakingsAreCountedForAnHour() {
    var now = Instant.parse("2026-11-23T12:00:00Z");
    var retries = new Retries();
    for (int attempt = 0; attempt < 10; attempt++) {
      retries.tried("p", now);
    }
    assertThat(retries.isDue("p", now.plusSeconds(59))).isFalse();
    assertThat(retries.isDue("p", now.plusSeconds(60))).isTrue();

    var takings = new Takings();
    takings.taken("q", "p", now);
    takings.taken("q", "p", now.plusSeconds(5));
    assertThat(takings.inTheHour("q", now.plusSeconds(3600))).isEqualTo(1);
    assertThat(takings.inTheHour("q", now.plusSeconds(3601))).isZero();
    assertThat(takings.inTheHour("other", now)).isZero();
  }
}
