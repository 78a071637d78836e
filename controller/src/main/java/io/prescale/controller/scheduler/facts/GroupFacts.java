package io.prescale.controller.scheduler.facts;

import static io.prescale.controller.cluster.OrEmpty.orEmpty;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.prescale.placement.inventory.Nearness;
import io.prescale.placement.inventory.PodFacts.Group;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads which gang a pod belongs to, and how near each other its pods are to be. */
public final class GroupFacts {
  /** Label of the pods of one group of a LeaderWorkerSet. */
  public static final String LWS_GROUP = "leaderworkerset.sigs.k8s.io/group-key";

  /** Annotation with the size of a group of a LeaderWorkerSet. */
  public static final String LWS_SIZE = "leaderworkerset.sigs.k8s.io/size";

  /** Label of the pods of a JobSet: its name. */
  public static final String JOB_SET = "jobset.sigs.k8s.io/jobset-name";

  /** Label of the pods of a JobSet: how many Jobs it has. */
  public static final String JOB_SET_JOBS = "jobset.sigs.k8s.io/global-replicas";

  /** Label of the pods of a JobSet: how often it has begun again. */
  public static final String JOB_SET_ATTEMPT = "jobset.sigs.k8s.io/restart-attempt";

  private static final String GROUP = "gpu.prescale.io/group";
  private static final String GROUP_SIZE = "gpu.prescale.io/group-size";
  private static final String REQUIRED = "gpu.prescale.io/group-required-topology";
  private static final String PREFERRED = "gpu.prescale.io/group-preferred-topology";
  private static final String LWS_INDEX = "leaderworkerset.sigs.k8s.io/worker-index";
  private static final String LWS_EXCLUSIVE = "leaderworkerset.sigs.k8s.io/exclusive-topology";
  private static final String SCHEDULING_GROUP = "schedulingGroup";

  /** The words of Kueue and of KAI: required, preferred. */
  private static final List<List<String>> FOREIGN =
      List.of(
          List.of(
              "kueue.x-k8s.io/podset-required-topology",
              "kueue.x-k8s.io/podset-preferred-topology"),
          List.of(
              "kai.scheduler/topology-required-placement",
              "kai.scheduler/topology-preferred-placement"));

  private GroupFacts() {}

  /**
   * The gang that our annotations name, or a PodGroup of Kubernetes, a group of a LeaderWorkerSet,
   * or a JobSet, whose labels state the number of its jobs. A size that is not a number makes no
   * gang.
   */
  public static Optional<Group> of(Pod pod) {
    var labels = orEmpty(pod.getMetadata().getLabels());
    var annotations = orEmpty(pod.getMetadata().getAnnotations());
    var near = nearness(annotations);
    var jobSet = labels.get(JOB_SET);
    // A JobSet that begins again makes new pods while the old ones end.
    var attempt = jobSet + "." + labels.getOrDefault(JOB_SET_ATTEMPT, "0");
    var size = annotations.getOrDefault(GROUP_SIZE, labels.get(JOB_SET_JOBS));
    return group(annotations.get(GROUP), annotations.get(GROUP_SIZE), near, false)
        .or(() -> podGroup(pod, near))
        .or(
            () ->
                group(
                    labels.get(LWS_GROUP),
                    annotations.get(LWS_SIZE),
                    near,
                    comesFirst(labels, annotations)))
        .or(() -> group(jobSet == null ? null : attempt, size, near, false));
  }

  /** A LeaderWorkerSet with exclusive placement makes no worker before its leader is bound. */
  private static boolean comesFirst(Map<String, String> labels, Map<String, String> annotations) {
    return annotations.containsKey(LWS_EXCLUSIVE) && "0".equals(labels.get(LWS_INDEX));
  }

  /** Our words, else those of a LeaderWorkerSet, Kueue or KAI. */
  private static Nearness nearness(Map<String, String> annotations) {
    var ours = new Nearness(word(annotations, REQUIRED), word(annotations, PREFERRED), false);
    if (ours.isStated()) {
      return ours;
    }
    var exclusive = word(annotations, LWS_EXCLUSIVE);
    if (exclusive.isPresent()) {
      return new Nearness(exclusive, Optional.empty(), true);
    }
    return FOREIGN.stream()
        .map(
            keys ->
                new Nearness(word(annotations, keys.get(0)), word(annotations, keys.get(1)), true))
        .filter(Nearness::isStated)
        .findFirst()
        .orElse(Nearness.ANYWHERE);
  }

  private static Optional<String> word(Map<String, String> annotations, String key) {
    return Optional.ofNullable(annotations.get(key)).map(String::strip).filter(it -> !it.isEmpty());
  }

  /** The level within which the pods of a PodGroup have to be, as its constraints say. */
  public static Nearness nearness(GenericKubernetesResource podGroup) {
    return podGroup.get("spec", "schedulingConstraints", "topology") instanceof List<?> constraints
            && !constraints.isEmpty()
            && constraints.getFirst() instanceof Map<?, ?> first
            && first.get("key") instanceof String key
            && !key.isBlank()
        ? new Nearness(Optional.of(key), Optional.empty(), true)
        : Nearness.ANYWHERE;
  }

  /** The client does not know this field of Kubernetes 1.36 and 1.37 yet. */
  private static Optional<Group> podGroup(Pod pod, Nearness near) {
    return pod.getSpec().getAdditionalProperties().get(SCHEDULING_GROUP) instanceof Map<?, ?> group
            && group.get("podGroupName") instanceof String name
            && !name.isBlank()
        ? Optional.of(Group.ofPodGroup(name).with(near))
        : Optional.empty();
  }

  private static Optional<Group> group(
      @Nullable String name, @Nullable String size, Nearness near, boolean isFirst) {
    if (name == null || name.isBlank() || size == null || !size.matches("[1-9][0-9]{0,4}")) {
      return Optional.empty();
    }
    return Optional.of(new Group(name, Integer.parseInt(size), near, isFirst));
  }
}
