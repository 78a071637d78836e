package io.prescale.controller.lab;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands in for the device plugins of HAMi on all nodes: what they do in Allocate, by the order of
 * their calls. It finds its pod as they do and complains when that cannot be the right one.
 */
final class HamiPlugins implements AutoCloseable {
  private static final String LOCK = "hami.io/mutex.lock";
  private static final String PHASE = "hami.io/bind-phase";
  private static final String CAMBRICON = "CAMBRICON_DSMLU_ASSIGHED";

  private final KubernetesClient client;
  private final SharedIndexInformer<Pod> pods;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, String> served = new ConcurrentHashMap<>();
  private final Map<String, String> allocating = new ConcurrentHashMap<>();
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

  HamiPlugins(KubernetesClient client) {
    this.client = client;
    pods =
        client
            .pods()
            .inAnyNamespace()
            .inform(
                new ResourceEventHandler<>() {
                  @Override
                  public void onAdd(Pod pod) {
                    seen(pod);
                  }

                  @Override
                  public void onUpdate(Pod before, Pod pod) {
                    seen(pod);
                  }

                  @Override
                  public void onDelete(Pod pod, boolean unknown) {
                    allocating.values().remove(pod.getMetadata().getUid());
                  }
                });
  }

  /** What went wrong so far. */
  Queue<String> complaints() {
    return complaints;
  }

  private void seen(Pod pod) {
    var annotations = pod.getMetadata().getAnnotations();
    if (annotations == null
        || !"allocating".equals(annotations.get(PHASE))
        || pod.getSpec().getNodeName() == null) {
      return;
    }
    if (served.putIfAbsent(pod.getMetadata().getUid(), pod.getSpec().getNodeName()) == null) {
      threads.execute(() -> allocateAtLast(pod));
    }
  }

  /** As the kubelet, which tries until the API server answers. */
  private void allocateAtLast(Pod pod) {
    boolean again = false;
    try {
      while (!isAllocated(pod, again)) {
        again = true;
        Thread.sleep(500);
      }
    } catch (InterruptedException _) {
      // The laboratory is closed.
    }
  }

  /** Whether that is settled; of a write that nobody answered it may be. */
  private boolean isAllocated(Pod pod, boolean again) {
    try {
      if (!again || isAllocating(pod)) {
        allocate(pod);
      }
      return true;
    } catch (KubernetesClientException _) {
      return false; // an API server that has just been started may refuse anything
    }
  }

  private boolean isAllocating(Pod pod) {
    var now = client.resource(pod).get();
    return now != null
        && now.getMetadata().getUid().equals(pod.getMetadata().getUid())
        && "allocating".equals(now.getMetadata().getAnnotations().get(PHASE));
  }

  private void allocate(Pod pod) {
    var node = pod.getSpec().getNodeName();
    var uid = pod.getMetadata().getUid();
    var other = allocating.put(node, uid);
    if (other != null && !other.equals(uid)) {
      complaints.add("two pods are handed over on node %s at once".formatted(node));
    }
    try {
      if (pod.getMetadata().getAnnotations().containsKey(CAMBRICON)) {
        allocateCambricon(node);
        return;
      }
      var lock = lock(node);
      var owner = ",%s,%s".formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
      if (!lock.isEmpty() && !lock.endsWith(owner)) {
        complaints.add("the lock of node %s names another pod: %s".formatted(node, lock));
      }
      consume(pod);
      if (lock.endsWith(owner)) {
        client
            .nodes()
            .withName(node)
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(LOCK));
      }
    } finally {
      allocating.remove(node, uid);
    }
  }

  /** Cambricon's plugin looks for the only pod that is not assigned, and takes no lock. */
  private void allocateCambricon(String node) {
    var waiting =
        client.pods().inAnyNamespace().withField("spec.nodeName", node).list().getItems().stream()
            .filter(it -> "false".equals(it.getMetadata().getAnnotations().get(CAMBRICON)))
            .toList();
    if (waiting.size() != 1) {
      complaints.add("%d pods wait for node %s's plugin".formatted(waiting.size(), node));
    }
    for (var pod : waiting) {
      allocating.remove(node, pod.getMetadata().getUid());
      annotate(pod, "\"%s\":\"true\"".formatted(CAMBRICON));
    }
  }

  private String lock(String node) {
    var found = client.nodes().withName(node).get();
    var annotations = found == null ? null : found.getMetadata().getAnnotations();
    return annotations == null ? "" : annotations.getOrDefault(LOCK, "");
  }

  /** Done with this pod before the next may come: the phase is the last that is written. */
  private void consume(Pod pod) {
    var blank = new StringBuilder();
    pod.getMetadata().getAnnotations().keySet().stream()
        .filter(key -> key.endsWith("devices-to-allocate"))
        .forEach(key -> blank.append("\"%s\":\";\",".formatted(key)));
    allocating.remove(pod.getSpec().getNodeName(), pod.getMetadata().getUid());
    annotate(pod, "%s\"%s\":\"success\"".formatted(blank, PHASE));
  }

  private void annotate(Pod pod, String annotations) {
    client
        .pods()
        .inNamespace(pod.getMetadata().getNamespace())
        .withName(pod.getMetadata().getName())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"annotations\":{%s}}}".formatted(annotations));
  }

  @Override
  public void close() {
    pods.stop();
    threads.shutdownNow();
  }
}
