package io.prescale.controller.scheduler.evictions;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.api.v1alpha1.Shortened;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.controller.cluster.ReportedEvent;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes annotations and events of pods, and evicts them; each takes effect whole or not at all.
 */
public final class PodWriter {
  private static final Logger LOG = LoggerFactory.getLogger(PodWriter.class);
  private static final String REPORTER = "prescale-extender";
  private static final int TOO_MANY_REQUESTS = 429;
  private static final String TWO_BUDGETS = "more than one PodDisruptionBudget";
  private static final int LONGEST_NAME = 230;
  private static final int LONGEST_REFUSAL = 300;

  private final KubernetesClient client;
  private final NewestSteps steps = new NewestSteps();

  /** A writer that has written nothing. */
  public PodWriter(KubernetesClient client) {
    this.client = client;
  }

  /** When a notice runs out as it is written: in whole seconds, never too early. */
  public static Instant written(Instant at) {
    return at.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
  }

  /** Writes annotations, and removes those without a value. */
  public void annotate(NamedPod pod, Map<String, ? extends @Nullable String> annotations) {
    mark(pod, Map.of(), annotations);
  }

  /**
   * Writes labels and annotations, and removes those without a value; through the status, because
   * the right to patch whole pods is a much greater one.
   */
  public void mark(
      NamedPod pod,
      Map<String, ? extends @Nullable String> labels,
      Map<String, ? extends @Nullable String> annotations) {
    var meta = new HashMap<String, Object>(Map.of("uid", pod.uid(), "annotations", annotations));
    if (!labels.isEmpty()) {
      meta.put("labels", labels);
    }
    var named = MergePatch.named(new Pod(), pod.namespace(), pod.name());
    MergePatch.sendByStatus(client, named, json(Map.of("metadata", meta)));
  }

  /** Names and annotations are what users write, so that patches are never put together as text. */
  private String json(Map<String, Object> change) {
    return client.getKubernetesSerialization().asJson(change);
  }

  /**
   * Evicts a pod, unless that might end its Job; returns why it is refused, in a sentence, if it
   * is.
   *
   * @param ofJob how many pods of its Job are to be evicted, this one included
   */
  public Optional<String> evict(NamedPod pod, int ofJob) {
    var eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withNamespace(pod.namespace())
            .withName(pod.name())
            .endMetadata()
            .withDeleteOptions(
                new DeleteOptionsBuilder()
                    .withNewPreconditions()
                    .withUid(pod.uid())
                    .endPreconditions()
                    .build())
            .build();
    var path = "/api/v1/namespaces/%s/pods/%s/eviction".formatted(pod.namespace(), pod.name());
    try {
      var objection =
          pod.job().flatMap(job -> JobFailures.objection(client, pod.namespace(), job, ofJob));
      if (objection.isEmpty()) {
        client.raw(path, "POST", eviction);
      }
      return objection;
    } catch (KubernetesClientException e) {
      return Optional.of(refusal(e).orElseThrow(() -> e));
    }
  }

  /** Empty if it may have been accepted, or may be the next time, and if the pod is gone. */
  private static Optional<String> refusal(KubernetesClientException failure) {
    if (failure.getCode() == TOO_MANY_REQUESTS) {
      return Optional.of(
          "A PodDisruptionBudget does not allow its eviction now; it is tried again.");
    }
    var why = ApiFailure.text(failure);
    // The API server answers 500 to that, as if it had failed itself.
    boolean isRefused =
        why.contains(TWO_BUDGETS)
            || (ApiFailure.isLasting(failure)
                && failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND);
    return isRefused
        ? Optional.of(
            Shortened.to(LONGEST_REFUSAL, "Its eviction is refused, and tried again: " + why))
        : Optional.empty();
  }

  /**
   * An event of a pod, once within the hour for which events are kept; it explains, so its failure
   * changes nothing.
   */
  public void event(NamedPod pod, String reason, String message, Instant now) {
    event(reference(pod), reason, message, now);
  }

  /**
   * An event of a pod that is news even if the same was said before, since something else was said
   * between.
   */
  public void news(NamedPod pod, String reason, String message, Instant now) {
    event(reference(pod), reason, message, 31 * message.hashCode() + now.hashCode(), now);
  }

  private static ObjectReference reference(NamedPod pod) {
    return new ObjectReferenceBuilder()
        .withApiVersion("v1")
        .withKind("Pod")
        .withNamespace(pod.namespace())
        .withName(pod.name())
        .withUid(pod.uid())
        .build();
  }

  /** An event of any object, once within the hour for which events are kept. */
  public void event(ObjectReference about, String reason, String message, Instant now) {
    event(about, reason, message, message.hashCode(), now);
  }

  /** What was last said in events, whether or not they could be written, the newest first. */
  public List<NewestSteps.Step> lastSteps() {
    return steps.all();
  }

  /** What is of the same name as an event that there is, is that event. */
  private void event(ObjectReference about, String reason, String message, int hash, Instant now) {
    var name = about.getName();
    var object = "%s %s/%s".formatted(about.getKind(), about.getNamespace(), name);
    LOG.info("{}: {}", object, message);
    steps.add(new NewestSteps.Step(now, object, message));
    var unique =
        "%s.%08x".formatted(name.substring(0, Math.min(name.length(), LONGEST_NAME)), hash);
    try {
      client
          .v1()
          .events()
          .inNamespace(about.getNamespace())
          .resource(
              new ReportedEvent(about, about.getNamespace(), unique, false, reason, message)
                  .by(REPORTER, now))
          .create();
    } catch (KubernetesClientException e) {
      if (!ApiFailure.isConflict(e)) {
        LOG.warn("No event was written for {}: {}", object, ApiFailure.text(e));
      }
    }
  }
}
