package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the pods of objects as their controllers would. Not thread-safe. */
final class PodMaker {
  /** More are a typing error. */
  static final int MOST_PODS = 10_000;

  private static final String LEADER_WORKER_SET = "LeaderWorkerSet";

  private final String namespace;
  private final ClusterObjects cluster;
  private final Instant now;
  private final List<Pod> pods = new ArrayList<>();

  PodMaker(String namespace, ClusterObjects cluster, Instant now) {
    this.namespace = namespace;
    this.cluster = cluster;
    this.now = now;
  }

  List<Pod> pods() {
    return pods;
  }

  static String display(HasMetadata object) {
    var meta = object.getMetadata();
    return "%s/%s".formatted(object.getKind(), meta == null ? "" : meta.getName());
  }

  /** Adds an object's pods; returns false when its kind is not read. */
  boolean add(HasMetadata object) {
    switch (object) {
      case Pod pod -> add(object, "", new PodTemplateSpec(pod.getMetadata(), pod.getSpec()));
      case Deployment it -> {
        var spec = required(it, it.getSpec());
        addAll(it, count(it, spec.getReplicas()), spec.getTemplate());
      }
      case ReplicaSet it -> {
        var spec = required(it, it.getSpec());
        addAll(it, count(it, spec.getReplicas()), spec.getTemplate());
      }
      case StatefulSet it -> {
        var spec = required(it, it.getSpec());
        addAll(it, count(it, spec.getReplicas()), spec.getTemplate());
      }
      case Job it -> {
        var spec = required(it, it.getSpec());
        int parallel = count(it, spec.getParallelism());
        Integer completions = spec.getCompletions();
        addAll(
            it,
            completions == null ? parallel : Math.min(parallel, count(it, completions)),
            spec.getTemplate());
      }
      case GenericKubernetesResource it when it.getKind().equals(LEADER_WORKER_SET) ->
          addGroups(it);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void addAll(HasMetadata owner, int count, @Nullable PodTemplateSpec template) {
    requireRoom(owner, count);
    for (int i = 0; i < count; i++) {
      add(owner, "-" + i, template);
    }
  }

  /** Groups of a leader and workers, each of which is placed as a gang. */
  private void addGroups(GenericKubernetesResource set) {
    int groups = count(set, set.get("spec", "replicas"));
    var templates = GroupTemplates.of(set);
    int size = templates.size();
    requireRoom(set, (long) groups * size);
    for (int group = 0; group < groups; group++) {
      var key = "%s-%d".formatted(set.getMetadata().getName(), group);
      for (int i = 0; i < size; i++) {
        var pod =
            add(
                set,
                "-%d-%d".formatted(group, i),
                i == 0 ? templates.leader() : templates.worker());
        pod.getMetadata().getLabels().put(GroupFacts.LWS_GROUP, key);
        pod.getMetadata().getAnnotations().put(GroupFacts.LWS_SIZE, String.valueOf(size));
      }
    }
  }

  private Pod add(HasMetadata owner, String suffix, @Nullable PodTemplateSpec template) {
    requireRoom(owner, 1);
    var meta = required(owner, owner.getMetadata());
    var made = required(owner, template);
    var spec = required(owner, made.getSpec());
    var inner = made.getMetadata();
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(
                meta.getNamespace() == null || meta.getNamespace().isBlank()
                    ? namespace
                    : meta.getNamespace())
            .withName(required(owner, meta.getName()) + suffix)
            .withUid("what-if-" + pods.size())
            .withLabels(copy(inner == null ? null : inner.getLabels()))
            .withAnnotations(copy(inner == null ? null : inner.getAnnotations()))
            .withCreationTimestamp(now.toString())
            .endMetadata()
            .withNewSpecLike(spec)
            .withNodeName(null)
            .withPriority(priority(spec.getPriority(), spec.getPriorityClassName()))
            .endSpec()
            .build();
    pods.add(pod);
    return pod;
  }

  private void requireRoom(HasMetadata owner, long more) {
    if (pods.size() + more > MOST_PODS) {
      throw new IllegalArgumentException(
          "%s has more pods than the %d that are placed at once; lower its replicas"
              .formatted(display(owner), MOST_PODS));
    }
  }

  private static Map<String, String> copy(@Nullable Map<String, String> map) {
    return map == null ? new HashMap<>() : new HashMap<>(map);
  }

  /** As the API server resolves it when a pod is created. */
  private @Nullable Integer priority(@Nullable Integer priority, @Nullable String className) {
    return (className == null || className.isEmpty()
            ? cluster.usualPriority()
            : cluster.priority(className))
        .orElse(priority);
  }

  /** How many of something; one where nothing is said. */
  static int count(HasMetadata owner, @Nullable Object number) {
    if (number == null) {
      return 1;
    }
    if (number instanceof Integer count && count >= 0) {
      return count;
    }
    throw new IllegalArgumentException(
        "%s asks for %s pods; write a number from 0 on".formatted(display(owner), number));
  }

  static <T> T required(HasMetadata owner, @Nullable T part) {
    if (part == null) {
      throw new IllegalArgumentException(
          "%s lacks a name, a spec or a pod's template".formatted(display(owner)));
    }
    return part;
  }
}
