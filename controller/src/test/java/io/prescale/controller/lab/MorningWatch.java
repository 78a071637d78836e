package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.lab.MorningRecording.Sample;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Watches the pods of a service, {@code chat}, and of training, {@code train}, and plays what a
 * kubelet would wait for: a training pod that has to end writes its state first, unless it had its
 * notice and has written it.
 */
final class MorningWatch implements AutoCloseable {
  /** Holds a training pod until its state is written. */
  static final String STATE = "lab.prescale.io/state";

  private static final Duration WRITES_ITS_STATE = Duration.ofSeconds(8);
  private static final Duration HAS_WRITTEN_IT = Duration.ofSeconds(1);
  private static final String NOTICE = "gpu.prescale.io/reclaim-at";

  private final KubernetesClient client;
  private final InstantSource clock;
  private final SharedIndexInformer<Pod> pods;
  private final Map<String, Instant> created = new ConcurrentHashMap<>();
  private final Map<String, Duration> bound = new ConcurrentHashMap<>();
  private final Map<String, Instant> noticed = new ConcurrentHashMap<>();
  private final Map<String, Instant> ending = new ConcurrentHashMap<>();
  private final Map<String, Boolean> evicted = new ConcurrentHashMap<>();

  /**
   * Begins.
   *
   * @param grace for which a pod has to have had its notice
   */
  MorningWatch(KubernetesClient client, Duration grace, InstantSource clock) {
    this.client = client;
    this.clock = clock;
    pods =
        client
            .pods()
            .inNamespace("default")
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    seen(pod, grace);
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    seen(pod, grace);
                  }

                  @Override
                  public void onDelete(Pod pod, boolean unknown) {}
                });
  }

  private void seen(Pod pod, Duration grace) {
    var now = clock.instant();
    var uid = pod.getMetadata().getUid();
    if (isOf("chat").test(pod)) {
      created.putIfAbsent(uid, now);
      if (pod.getSpec().getNodeName() != null) {
        bound.putIfAbsent(uid, Duration.between(Objects.requireNonNull(created.get(uid)), now));
      }
      return;
    }
    var annotations = pod.getMetadata().getAnnotations();
    if (annotations != null && annotations.containsKey(NOTICE)) {
      noticed.putIfAbsent(uid, now);
    } else if (pod.getMetadata().getDeletionTimestamp() == null) {
      noticed.remove(uid);
    }
    if (pod.getMetadata().getDeletionTimestamp() != null && pod.getSpec().getNodeName() != null) {
      ending.putIfAbsent(uid, now);
      var since = noticed.get(uid);
      // The annotation was written some time before it was seen.
      boolean hadNotice = since != null && !since.plus(grace).minusSeconds(3).isAfter(now);
      evicted.putIfAbsent(uid, hadNotice);
    }
  }

  private static Predicate<Pod> isOf(String app) {
    return pod -> app.equals(pod.getMetadata().getLabels().get("app"));
  }

  /** Lets those go that have written their state. */
  void end() {
    var now = clock.instant();
    for (var pod : pods.getStore().list()) {
      var uid = pod.getMetadata().getUid();
      var since = ending.get(uid);
      var takes = evicted.getOrDefault(uid, false) ? HAS_WRITTEN_IT : WRITES_ITS_STATE;
      boolean isHeld = pod.getMetadata().getFinalizers().contains(STATE);
      boolean isOver =
          since == null
              ? pod.getMetadata().getDeletionTimestamp() != null
              : !since.plus(takes).isAfter(now);
      if (isHeld && isOver) {
        release(pod);
      }
    }
  }

  private void release(Pod pod) {
    try {
      client
          .resource(
              new PodBuilder(pod).editMetadata().removeFromFinalizers(STATE).endMetadata().build())
          .update();
    } catch (KubernetesClientException _) {
      // Changed since; again with what is read by then.
    }
  }

  /** How it is now. */
  Sample sample(Duration since, int needed) {
    return new Sample(
        since,
        needed,
        count(isOf("chat").and(MorningWatch::isReady)),
        count(isOf("train").and(MorningWatch::isReady)));
  }

  private int count(Predicate<Pod> predicate) {
    return (int)
        pods.getStore().list().stream()
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .filter(predicate)
            .count();
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  int trainingPods() {
    return count(isOf("train").and(MorningWatch::isReady));
  }

  int replicas() {
    return count(isOf("chat").and(MorningWatch::isReady));
  }

  /** Forgets what was before the morning. */
  void begin() {
    created.clear();
    bound.clear();
    for (var pod : pods.getStore().list()) {
      bound.put(pod.getMetadata().getUid(), Duration.ZERO);
    }
    ending.clear();
    evicted.clear();
  }

  /** From the creation of each replica that was bound in the morning until it was. */
  List<Duration> bindings() {
    return bound.values().stream().filter(Duration::isPositive).sorted().toList();
  }

  long evictions(boolean withNotice) {
    return evicted.values().stream().filter(it -> it == withNotice).count();
  }

  @Override
  public void close() {
    pods.stop();
  }
}
