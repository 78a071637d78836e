package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When pods were created, had their first notice and began to leave, as the API server says so to
 * one who watches; and those that are there. Thread-safe.
 */
final class SeenPods implements AutoCloseable {
  private static final String AT = "gpu.prescale.io/reclaim-at";

  private final Map<String, Instant> created = new ConcurrentHashMap<>();
  private final Map<String, Notice> notices = new ConcurrentHashMap<>();
  private final Map<String, Instant> left = new ConcurrentHashMap<>();
  private final SharedIndexInformer<Pod> pods;

  /** Begins to watch those of the namespace default. */
  SeenPods(KubernetesClient client) {
    pods = client.pods().inNamespace("default").inform(new Recorder());
  }

  /**
   * A notice.
   *
   * @param job that made the pod
   * @param until as it is written
   */
  record Notice(String pod, String job, Instant seen, Instant until) {}

  /** By the pods' names. */
  Instant created(String pod) {
    return created.getOrDefault(pod, Instant.MAX);
  }

  /** The first of each pod that had one, by UID. */
  Map<String, Notice> notices() {
    return Map.copyOf(notices);
  }

  /** When pods began to leave, or were gone, by UID. */
  Map<String, Instant> left() {
    return Map.copyOf(left);
  }

  /** How many pods with names that begin so are on a node and stay. */
  int bound(String prefix) {
    return (int)
        pods.getStore().list().stream()
            .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
            .filter(pod -> pod.getSpec().getNodeName() != null)
            .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
            .count();
  }

  @Override
  public void close() {
    pods.close();
  }

  private final class Recorder implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      created.putIfAbsent(pod.getMetadata().getName(), Instant.now());
      seen(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      seen(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      left.putIfAbsent(pod.getMetadata().getUid(), Instant.now());
    }

    private void seen(Pod pod) {
      var meta = pod.getMetadata();
      var until = ExtenderCluster.annotation(pod, AT);
      if (!until.isEmpty()) {
        var job = meta.getLabels().getOrDefault("batch.kubernetes.io/job-name", "");
        var notice = new Notice(meta.getName(), job, Instant.now(), Instant.parse(until));
        notices.putIfAbsent(meta.getUid(), notice);
      }
      if (meta.getDeletionTimestamp() != null) {
        left.putIfAbsent(meta.getUid(), Instant.now());
      }
    }
  }
}
