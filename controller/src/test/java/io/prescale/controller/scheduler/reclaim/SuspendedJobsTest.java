package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which labelled Jobs Prescale resumes. */
class SuspendedJobsTest {
  private static final Map<String, String> LABELS = Map.of(SuspendedJobs.LABEL, "true");

  @Test
  void aJobThatRunsAgainOrIsOfOthersIsNotResumed() {
    var job = ApiWithoutRepetition.job("j", LABELS, true);

    assertThat(SuspendedJobs.isSuspended(job)).isTrue();
    assertThat(SuspendedJobs.isSuspended(ApiWithoutRepetition.job("j", LABELS, false))).isFalse();
    assertThat(
            SuspendedJobs.isSuspended(
                ApiWithoutRepetition.job("j", Map.of("kueue.x-k8s.io/queue-name", "q"), true)))
        .isFalse();
    assertThat(
            SuspendedJobs.isSuspended(
                new JobBuilder(job).editSpec().withManagedBy("x/y").endSpec().build()))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({"CronJob, true, false", "JobSet, true, true", "JobSet, false, false"})
  void aControllingOwnerOtherThanACronJobSuspendsItsJobs(
      String kind, boolean isController, boolean isOfOthers) {
    var job =
        new JobBuilder(ApiWithoutRepetition.job("j", Map.of(), false))
            .editMetadata()
            .addNewOwnerReference()
            .withKind(kind)
            .withController(isController)
            .endOwnerReference()
            .endMetadata()
            .build();

    assertThat(SuspendedJobs.isOfOthers(job)).isEqualTo(isOfOthers);
  }
}
