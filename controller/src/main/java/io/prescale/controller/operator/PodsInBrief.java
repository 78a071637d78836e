package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.prescale.controller.cluster.BriefContainers;
import io.prescale.controller.operator.scalein.DeletionCosts;
import java.util.HashMap;
import java.util.Map;

/** What the control loop reads of a pod: a tenth of its size. */
final class PodsInBrief {
  private PodsInBrief() {}

  /**
   * Name, labels, times, deletion cost and how its images were; of containers their resources; of
   * the status phase and conditions.
   */
  static Pod of(Pod pod) {
    var meta = pod.getMetadata();
    var status = pod.getStatus();
    var brief =
        new PodBuilder()
            .withMetadata(
                new ObjectMetaBuilder()
                    .withNamespace(meta.getNamespace())
                    .withName(meta.getName())
                    .withUid(meta.getUid())
                    .withResourceVersion(meta.getResourceVersion())
                    .withLabels(meta.getLabels())
                    .withAnnotations(annotations(pod))
                    .withManagedFields(DeletionCosts.managedFields(pod))
                    .withCreationTimestamp(meta.getCreationTimestamp())
                    .withDeletionTimestamp(meta.getDeletionTimestamp())
                    .build())
            .withNewSpec()
            .withContainers(BriefContainers.of(pod.getSpec().getContainers()))
            .withInitContainers(BriefContainers.of(pod.getSpec().getInitContainers()))
            .endSpec();
    return status == null
        ? brief.build()
        : brief
            .withNewStatus()
            .withPhase(status.getPhase())
            .withConditions(status.getConditions())
            .withContainerStatuses(
                status.getContainerStatuses().stream().map(PodsInBrief::brief).toList())
            .endStatus()
            .build();
  }

  private static Map<String, String> annotations(Pod pod) {
    var kept = new HashMap<>(DeletionCosts.annotation(pod));
    var images = PodTimes.images(pod);
    if (images != null) {
      kept.put(PodTimes.IMAGES, images);
    }
    return kept;
  }

  private static ContainerStatus brief(ContainerStatus status) {
    return new ContainerStatusBuilder()
        .withName(status.getName())
        .withRestartCount(status.getRestartCount())
        .withState(status.getState())
        .build();
  }
}
