package io.prescale.controller.scheduler.evictions;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ServedKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of a Job may be evicted. Its controller counts each as a failure, and ends the Job
 * beyond its {@code backoffLimit}, unless the rules of its {@code podFailurePolicy} say otherwise.
 */
public final class JobFailures {
  private static final ResourceDefinitionContext JOB =
      ServedKind.of("batch", "v1", "Job", "jobs", true);

  /** Removed from a pod when its failure has been counted. */
  private static final String UNCOUNTED = "batch.kubernetes.io/job-tracking";

  private static final String JOB_NAME = "batch.kubernetes.io/job-name";
  private static final int USUAL_LIMIT = 6;

  /** Exit codes of processes that SIGKILL or SIGTERM has ended. */
  private static final Set<Integer> ENDED_BY_SIGNAL = Set.of(137, 143);

  private JobFailures() {}

  /** The name of the Job that has made a pod. */
  public static Optional<String> jobOf(ObjectMeta pod) {
    return orEmpty(pod.getOwnerReferences()).stream()
        .filter(it -> Boolean.TRUE.equals(it.getController()) && "Job".equals(it.getKind()))
        .filter(it -> it.getApiVersion() != null && it.getApiVersion().startsWith("batch/"))
        .flatMap(it -> Stream.ofNullable(it.getName()))
        .findFirst();
  }

  /** How many evictions a Job survives; {@link Integer#MAX_VALUE} if they do not count. */
  public static int left(GenericKubernetesResource job) {
    int fewest = Integer.MAX_VALUE;
    for (var rule : rules(job)) {
      boolean isCertain = isForDisruptions(rule);
      if (isCertain || isForSignals(rule)) {
        var action = rule.get("action");
        if ("FailJob".equals(action) || "FailIndex".equals(action)) {
          return 0;
        }
        if (!"Ignore".equals(action)) {
          fewest = leftIfCounted(job);
        }
        // The first rule that matches is applied, and no other.
        if (isCertain) {
          return fewest;
        }
      }
    }
    return leftIfCounted(job);
  }

  private static int leftIfCounted(GenericKubernetesResource job) {
    // The pod's index may have failed as often as it may; how often is not in the Job.
    if (job.get("spec", "backoffLimitPerIndex") != null) {
      return 0;
    }
    int failed = number(job.get("status", "failed"), 0) + beingCounted(job).size();
    return Math.max(0, number(job.get("spec", "backoffLimit"), USUAL_LIMIT) - failed);
  }

  private static List<Map<?, ?>> rules(GenericKubernetesResource job) {
    var found = new ArrayList<Map<?, ?>>();
    if (job.get("spec", "podFailurePolicy", "rules") instanceof List<?> rules) {
      for (var each : rules) {
        if (each instanceof Map<?, ?> rule) {
          found.add(rule);
        }
      }
    }
    return found;
  }

  private static boolean isForDisruptions(Map<?, ?> rule) {
    return rule.get("onPodConditions") instanceof List<?> conditions
        && conditions.stream()
            .anyMatch(
                each ->
                    each instanceof Map<?, ?> condition
                        && "DisruptionTarget".equals(condition.get("type"))
                        && !"False".equals(condition.get("status")));
  }

  /** Whether a pod may match that ends by a signal, as evicted ones do. */
  private static boolean isForSignals(Map<?, ?> rule) {
    return rule.get("onExitCodes") instanceof Map<?, ?> codes
        && codes.get("values") instanceof List<?> values
        && ENDED_BY_SIGNAL.stream()
            .anyMatch(code -> values.contains(code) == "In".equals(codes.get("operator")));
  }

  /** UIDs of the pods that are no longer marked as uncounted, or soon will not be. */
  private static Set<String> beingCounted(GenericKubernetesResource job) {
    return job.get("status", "uncountedTerminatedPods", "failed") instanceof List<?> uids
        ? uids.stream().map(Object::toString).collect(toSet())
        : Set.of();
  }

  private static int number(@Nullable Object value, int otherwise) {
    return value instanceof Number number ? number.intValue() : otherwise;
  }

  /**
   * Why pods of a Job are not evicted, as it is now.
   *
   * @param pods how many are to be, one after another
   */
  public static Optional<String> objection(
      KubernetesClient client, String namespace, String name, int pods) {
    var resource = client.genericKubernetesResources(JOB).inNamespace(namespace).withName(name);
    var before = resource.get();
    if (before == null || left(before) == Integer.MAX_VALUE) {
      return Optional.empty();
    }
    // Before the Job is read again, so that a pod is counted twice rather than not at all.
    var ending =
        client.pods().inNamespace(namespace).withLabel(JOB_NAME, name).list().getItems().stream()
            .filter(JobFailures::isUncounted)
            .map(pod -> pod.getMetadata().getUid())
            .toList();
    var job = Objects.requireNonNullElse(resource.get(), before);
    var counted = beingCounted(job);
    long uncounted = ending.stream().filter(uid -> !counted.contains(uid)).count();
    long left = Math.max(0, left(job) - uncounted);
    return pods <= left
        ? Optional.empty()
        : Optional.of(
            ("Its eviction might end Job %s, which may have %d more failures; a podFailurePolicy"
                    + " whose first rule ignores DisruptionTarget would permit it.")
                .formatted(name, left));
  }

  private static boolean isUncounted(Pod pod) {
    boolean isEnding =
        pod.getMetadata().getDeletionTimestamp() != null
            || (pod.getStatus() != null && "Failed".equals(pod.getStatus().getPhase()));
    return isEnding && orEmpty(pod.getMetadata().getFinalizers()).contains(UNCOUNTED);
  }
}
