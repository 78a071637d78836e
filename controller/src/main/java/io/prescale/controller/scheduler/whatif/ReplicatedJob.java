package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobTemplateSpec;
import io.prescale.controller.scheduler.facts.GroupFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Jobs of a JobSet that are alike.
 *
 * @param replicas how many Jobs
 * @param pods that each runs at once
 */
record ReplicatedJob(String name, int replicas, int pods, PodTemplateSpec template) {
  private static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";
  private static final String PREFIX = "jobset.sigs.k8s.io/";

  /**
   * Those of a JobSet in their order.
   *
   * @throws IllegalArgumentException with a sentence, when it lacks what pods are made of
   */
  static List<ReplicatedJob> of(GenericKubernetesResource set) {
    return parts(set).map(part -> of(set, part)).toList();
  }

  private static ReplicatedJob of(GenericKubernetesResource set, Map<?, ?> part) {
    var name = PodMaker.required(set, part.get("name")).toString();
    var template =
        GroupTemplates.read(
            set, part.get("template"), JobTemplateSpec.class, "template of " + name);
    var spec = PodMaker.required(set, template.getSpec());
    return new ReplicatedJob(
        name,
        PodMaker.count(set, part.get("replicas")),
        PodMaker.parallel(set, spec),
        PodMaker.required(set, spec.getTemplate()));
  }

  /** Why not all pods of a JobSet are created at once, if so. */
  static Optional<String> delay(GenericKubernetesResource set) {
    boolean isExclusive =
        isExclusive(set.getMetadata().getAnnotations())
            || parts(set)
                .anyMatch(
                    part ->
                        part.get("template") instanceof Map<?, ?> template
                            && template.get("metadata") instanceof Map<?, ?> meta
                            && isExclusive(meta.get("annotations")));
    if (isExclusive) {
      return Optional.of("with exclusive-topology its pods are created one after another");
    }
    boolean isInOrder =
        "InOrder".equals(set.get("spec", "startupPolicy", "startupPolicyOrder"))
            || parts(set).anyMatch(part -> part.get("dependsOn") != null);
    return isInOrder ? Optional.of("its Jobs begin one after another") : Optional.empty();
  }

  private static boolean isExclusive(@Nullable Object annotations) {
    return annotations instanceof Map<?, ?> map && map.containsKey(EXCLUSIVE);
  }

  private static Stream<Map<?, ?>> parts(GenericKubernetesResource set) {
    return set.get("spec", "replicatedJobs") instanceof List<?> all
        ? all.stream().filter(Map.class::isInstance).map(part -> (Map<?, ?>) part)
        : Stream.empty();
  }

  /**
   * Labels and annotations of the pods of one of these Jobs, all that its controller sets but a
   * hash.
   *
   * @param index of the Job among these
   * @param number of the Job among all
   * @param all Jobs of the set
   */
  Map<String, String> marks(ObjectMeta set, int index, int number, long all) {
    return Map.of(
        GroupFacts.JOB_SET,
        set.getName(),
        GroupFacts.JOB_SET_ATTEMPT,
        "0",
        GroupFacts.JOB_SET_JOBS,
        String.valueOf(all),
        PREFIX + "replicatedjob-name",
        name,
        PREFIX + "replicatedjob-replicas",
        String.valueOf(replicas),
        PREFIX + "job-index",
        String.valueOf(index),
        PREFIX + "job-global-index",
        String.valueOf(number));
  }
}
