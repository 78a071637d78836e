package io.prescale.controller.plan.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeclaredEndsTest {
  private static final Instant NOW = Instant.parse("2026-11-24T09:00:00Z");
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private static Pod pod(String uid, String job, String deadline, String started) {
    return YAML.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: p, namespace: n, uid: %s, ownerReferences: [{kind: Job, uid: %s}]}
        spec: {activeDeadlineSeconds: %s}
        status: {startTime: "%s"}
        """
            .formatted(uid, job, deadline, started));
  }

  private static Job job(String uid, String deadline, String started, String completed) {
    return YAML.unmarshal(
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: j, namespace: n, uid: %s, ownerReferences: [{kind: CronJob, uid: nightly}]}
        spec: {activeDeadlineSeconds: %s}
        status: {startTime: "%s", completionTime: %s}
        """
            .formatted(uid, deadline, started, completed));
  }

  @Test
  void thePodsDeadlineOrThatOfItsJobWhicheverIsFirst() {
    var pods =
        Stream.of(
            pod("own", "none", "7200", "2026-11-24T08:00:00Z"),
            pod("both", "j", "7200", "2026-11-24T08:00:00Z"),
            pod("never", "none", "null", "2026-11-24T08:00:00Z"),
            pod("nonsense", "none", "9000000000000000000", "soon"));
    var jobs = List.of(job("j", "3600", "2026-11-24T08:30:00Z", "null"));

    assertThat(DeclaredEnds.of(pods, jobs, NOW))
        .containsOnlyKeys("own", "both")
        .containsEntry("own", Instant.parse("2026-11-24T10:00:00Z"))
        .containsEntry("both", Instant.parse("2026-11-24T09:30:00Z"));
  }

  @Test
  void theLongestOfThreeFinishedJobsOfTheCronJob() {
    var jobs = new ArrayList<Job>();
    jobs.add(job("now", "null", "2026-11-24T08:30:00Z", "null"));
    jobs.add(job("overdue", "null", "2026-11-24T06:30:00Z", "null"));
    jobs.add(job("a", "null", "2026-11-21T00:00:00Z", "\"2026-11-21T01:00:00Z\""));
    jobs.add(job("b", "null", "2026-11-22T00:00:00Z", "\"2026-11-22T02:00:00Z\""));
    var running = pod("p", "now", "null", "2026-11-24T08:30:00Z");
    var late = pod("late", "overdue", "null", "2026-11-24T06:30:00Z");

    assertThat(DeclaredEnds.of(Stream.of(running, late), jobs, NOW)).as("two are few").isEmpty();

    jobs.add(job("c", "null", "2026-11-23T00:00:00Z", "\"2026-11-23T01:30:00Z\""));
    assertThat(DeclaredEnds.of(Stream.of(running, late), jobs, NOW))
        .containsOnlyKeys("p")
        .containsEntry("p", Instant.parse("2026-11-24T10:30:00Z"));
  }
}
