package io.prescale.controller.scheduler.facts;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whose objects say which queues there are, and in whose words pods name their queues. */
public enum QueueSource {
  /** GpuQueues. */
  PRESCALE,
  /** ClusterQueues and Cohorts of Kueue, and LocalQueues, which stand for ClusterQueues. */
  KUEUE,
  /** Queues of KAI. */
  KAI,
  /** Queues of Volcano. */
  VOLCANO;

  /** The queue that a pod names: by our label, else in the words of the source. */
  Optional<String> queue(ObjectMeta pod) {
    return Facts.queue(pod)
        .or(
            () ->
                switch (this) {
                  case PRESCALE -> Optional.empty();
                  case KUEUE ->
                      named(pod.getLabels(), "kueue.x-k8s.io/cluster-queue-name")
                          .or(() -> localQueue(pod));
                  case KAI -> named(pod.getLabels(), "kai.scheduler/queue");
                  case VOLCANO -> named(pod.getAnnotations(), "scheduling.volcano.sh/queue-name");
                });
  }

  /** Kueue may be told not to write the ClusterQueue's name, or it may be too long for a label. */
  private static Optional<String> localQueue(ObjectMeta pod) {
    return Stream.of("kueue.x-k8s.io/queue-name", "kueue.x-k8s.io/local-queue-name")
        .flatMap(key -> named(pod.getLabels(), key).stream())
        .map(name -> pod.getNamespace() + "/" + name)
        .findFirst();
  }

  private static Optional<String> named(@Nullable Map<String, String> all, String key) {
    return Optional.ofNullable(all)
        .flatMap(it -> Optional.ofNullable(it.get(key)))
        .filter(name -> !name.isBlank());
  }
}
