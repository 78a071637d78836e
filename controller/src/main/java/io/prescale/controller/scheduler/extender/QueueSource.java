package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.cluster.ServedKind;
import java.util.List;
import java.util.Locale;
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

  private static final ResourceDefinitionContext LOCAL_QUEUES =
      ServedKind.of("kueue.x-k8s.io", "v1beta2", "LocalQueue", "localqueues", true);

  /** The word for it on a command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The source of a word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static QueueSource of(String word) {
    return Stream.of(values())
        .filter(source -> source.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--queues is \"%s\"; write prescale, kueue, kai or volcano".formatted(word)));
  }

  /** The kind whose objects stand for queues in the words of pods of their namespace, if any. */
  Optional<ResourceDefinitionContext> localKind() {
    return this == KUEUE ? Optional.of(LOCAL_QUEUES) : Optional.empty();
  }

  /** The kinds of its objects; all of them are cluster-scoped. */
  List<ResourceDefinitionContext> kinds() {
    return switch (this) {
      case PRESCALE -> List.of(QueueFeed.QUEUES);
      case KUEUE ->
          List.of(
              ServedKind.of("kueue.x-k8s.io", "v1beta2", "ClusterQueue", "clusterqueues", false),
              ServedKind.of("kueue.x-k8s.io", "v1beta2", "Cohort", "cohorts", false));
      case KAI -> List.of(ServedKind.of("scheduling.run.ai", "v2", "Queue", "queues", false));
      case VOLCANO ->
          List.of(ServedKind.of("scheduling.volcano.sh", "v1beta1", "Queue", "queues", false));
    };
  }

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
