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
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.prescale.controller.scheduler.facts.GroupFacts;
import io.prescale.controller.scheduler.objects.ClusterObjects;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the pods of objects as their controllers would. Not thread-safe. */
final class PodMaker {
  /** More are a typing error. */
  static final int MOST_PODS = 10_000;

  private static final String LEADER_WORKER_SET = "LeaderWorkerSet";
  private static final String KUBEFLOW = "kubeflow.org/";

  /** Kinds that have pods, and why these are not made. */
  private static final Map<String, String> NOT_MADE =
      Map.of(
          "CronJob", "its Jobs are created later",
          "DaemonSet", "its pods are those of each node",
          "TrainJob", "its pods are made from a runtime",
          "RayJob", "clusters of Ray are not read",
          "RayCluster", "clusters of Ray are not read",
          "RayService", "clusters of Ray are not read");

  private final String namespace;
  private final ClusterObjects cluster;
  private final Instant now;
  private final List<Pod> pods = new ArrayList<>();
  private final List<String> passedOver = new ArrayList<>();

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

  /** Objects whose pods are not made, some with the reason. */
  List<String> passedOver() {
    return passedOver;
  }

  /** Adds an object's pods, or passes it over. */
  void add(HasMetadata object) {
    switch (object) {
      case Pod pod -> add(object, "", new PodTemplateSpec(pod.getMetadata(), pod.getSpec()));
      case Deployment it -> {
        var spec = required(it, it.getSpec());
        addAll(it, "", count(it, spec.getReplicas()), spec.getTemplate());
      }
      case ReplicaSet it -> {
        var spec = required(it, it.getSpec());
        addAll(it, "", count(it, spec.getReplicas()), spec.getTemplate());
      }
      case StatefulSet it -> {
        var spec = required(it, it.getSpec());
        addAll(it, "", count(it, spec.getReplicas()), spec.getTemplate());
      }
      case Job it -> {
        var spec = required(it, it.getSpec());
        addAll(it, "", parallel(it, spec), spec.getTemplate());
      }
      case GenericKubernetesResource it when it.getKind().equals(LEADER_WORKER_SET) ->
          addGroups(it);
      case GenericKubernetesResource it when it.getKind().equals("JobSet") ->
          ReplicatedJob.delay(it).ifPresentOrElse(why -> passOver(it, why), () -> addJobs(it));
      case GenericKubernetesResource it when !replicaSpecs(it).isEmpty() ->
          replicaSpecs(it).forEach((type, spec) -> addReplicas(it, type, spec));
      default ->
          Optional.ofNullable(NOT_MADE.get(object.getKind()))
              .ifPresentOrElse(why -> passOver(object, why), () -> passedOver.add(display(object)));
    }
  }

  private void passOver(HasMetadata object, String why) {
    passedOver.add("%s (%s)".formatted(display(object), why));
  }

  /** How many pods a Job runs at once. */
  static int parallel(HasMetadata owner, JobSpec spec) {
    int parallel = count(owner, spec.getParallelism());
    Integer completions = spec.getCompletions();
    return completions == null ? parallel : Math.min(parallel, count(owner, completions));
  }

  private void addAll(
      HasMetadata owner, String infix, int count, @Nullable PodTemplateSpec template) {
    requireRoom(owner, count);
    for (int i = 0; i < count; i++) {
      add(owner, "%s-%d".formatted(infix, i), template);
    }
  }

  /** Of a training job of Kubeflow's, by type; empty of other kinds. */
  private static Map<String, Map<?, ?>> replicaSpecs(GenericKubernetesResource job) {
    var specs = new TreeMap<String, Map<?, ?>>();
    if (job.getApiVersion().startsWith(KUBEFLOW) && job.get("spec") instanceof Map<?, ?> spec) {
      for (var field : spec.entrySet()) {
        if (field.getKey().toString().endsWith("ReplicaSpecs")
            && field.getValue() instanceof Map<?, ?> types) {
          types.forEach(
              (type, replicas) -> {
                if (replicas instanceof Map<?, ?> map) {
                  specs.put(type.toString(), map);
                }
              });
        }
      }
    }
    return specs;
  }

  private void addReplicas(GenericKubernetesResource job, String type, Map<?, ?> spec) {
    var template = GroupTemplates.read(job, spec.get("template"), PodTemplateSpec.class, type);
    var infix = "-" + type.toLowerCase(Locale.ROOT);
    addAll(job, infix, count(job, spec.get("replicas")), template);
  }

  /** Jobs that are placed as one gang, of the size that their labels or annotations state. */
  private void addJobs(GenericKubernetesResource set) {
    var replicated = ReplicatedJob.of(set);
    long all = replicated.stream().mapToLong(ReplicatedJob::replicas).sum();
    requireRoom(set, all);
    int number = 0;
    for (var jobs : replicated) {
      for (int index = 0; index < jobs.replicas(); index++) {
        int first = pods.size();
        addAll(set, "-%s-%d".formatted(jobs.name(), index), jobs.pods(), jobs.template());
        var marks = jobs.marks(set.getMetadata(), index, number++, all);
        for (var pod : pods.subList(first, pods.size())) {
          pod.getMetadata().getLabels().putAll(marks);
          pod.getMetadata().getAnnotations().putAll(marks);
        }
      }
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
