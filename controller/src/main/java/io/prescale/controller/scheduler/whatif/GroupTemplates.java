package io.prescale.controller.scheduler.whatif;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.jspecify.annotations.Nullable;

/**
 * What the groups of a LeaderWorkerSet are made of.
 *
 * @param leader that of the first pod
 * @param worker that of the others
 * @param size how many pods a group has, at least one
 */
public record GroupTemplates(PodTemplateSpec leader, PodTemplateSpec worker, int size) {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  public GroupTemplates {
    if (size < 1) {
      throw new IllegalArgumentException("a group has %d pods".formatted(size));
    }
  }

  /**
   * Reads a LeaderWorkerSet.
   *
   * @throws IllegalArgumentException with a sentence, when it lacks what pods are made of
   */
  public static GroupTemplates of(GenericKubernetesResource set) {
    int size = PodMaker.count(set, set.get("spec", "leaderWorkerTemplate", "size"));
    if (size == 0) {
      throw new IllegalArgumentException(
          "%s has groups of size 0; write 1 or more".formatted(PodMaker.display(set)));
    }
    var worker = template(set, "workerTemplate");
    var leader =
        set.get("spec", "leaderWorkerTemplate", "leaderTemplate") == null
            ? worker
            : template(set, "leaderTemplate");
    return new GroupTemplates(leader, worker, size);
  }

  private static PodTemplateSpec template(GenericKubernetesResource set, String name) {
    return read(set, set.get("spec", "leaderWorkerTemplate", name), PodTemplateSpec.class, name);
  }

  /** A template within an object of a kind that the client does not know. */
  static <T> T read(HasMetadata owner, @Nullable Object template, Class<T> type, String name) {
    try {
      return JSON.convertValue(PodMaker.required(owner, template), type);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s has no %s that is a pod's template".formatted(PodMaker.display(owner), name), e);
    }
  }
}
