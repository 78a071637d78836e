package io.prescale.controller.scheduler.moves;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.scheduler.evictions.JobFailures;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether Jobs survive that a pod is evicted from a sick card; of each the API server is asked once
 * a minute at most, and of a few in one round. Not thread-safe.
 */
final class JobLosses {
  private static final Logger LOG = LoggerFactory.getLogger(JobLosses.class);
  private static final Duration AGAIN = Duration.ofMinutes(1);

  /** Answers of Jobs that are not asked about any more. */
  private static final Duration FORGOTTEN = Duration.ofMinutes(10);

  /** The round waits for these requests, and moves for the round. */
  private static final int MOST_IN_A_ROUND = 10;

  private final KubernetesClient client;
  private final Map<String, Answer> answers = new HashMap<>();
  private Instant round = Instant.MIN;
  private int asked;

  JobLosses(KubernetesClient client) {
    this.client = client;
  }

  private record Answer(Instant at, Optional<String> objection) {
    boolean isOlder(Duration age, Instant now) {
      return !now.isBefore(at.plus(age));
    }
  }

  /** Why a Job's pod is not evicted; empty if its Job survives that. */
  Optional<String> objection(MovablePod pod, Instant now) {
    if (!now.equals(round)) {
      round = now;
      asked = 0;
      answers.values().removeIf(answer -> answer.isOlder(FORGOTTEN, now));
    }
    var key = "%s/%s".formatted(pod.namespace(), pod.job().orElseThrow());
    var answer = answers.get(key);
    if ((answer == null || answer.isOlder(AGAIN, now)) && asked < MOST_IN_A_ROUND) {
      asked++;
      answer = new Answer(now, ask(pod, answer));
      answers.put(key, answer);
    }
    return answer == null ? Optional.of("its Job has not been read yet") : answer.objection();
  }

  private Optional<String> ask(MovablePod pod, @Nullable Answer last) {
    var job = pod.job().orElseThrow();
    try {
      return JobFailures.objection(client, pod.namespace(), job, 1)
          .map(_ -> "its eviction might end Job " + job);
    } catch (KubernetesClientException e) {
      LOG.warn("Job {}/{} cannot be read: {}", pod.namespace(), job, ApiFailure.text(e));
      return last == null ? Optional.of("its Job cannot be read") : last.objection();
    }
  }
}
