package io.prescale.controller.operator;

import io.prescale.controller.cluster.BriefJson;
import io.prescale.controller.cluster.Kept;
import io.prescale.controller.operator.scalein.DeletionCosts;

/** What the control loop reads of a pod: a tenth of its size. */
final class PodsInBrief {
  /**
   * Name, labels, times, deletion cost and whose it is, and how its images were; of containers
   * their resources; of the status phase, conditions and when containers ran.
   */
  static final BriefJson JSON =
      new BriefJson(
          "pods",
          Kept.fields("kind", "apiVersion")
              .with("metadata", metadata())
              .with(
                  "spec",
                  Kept.fields().with("containers", container()).with("initContainers", container()))
              .with("status", status()));

  private PodsInBrief() {}

  private static Kept metadata() {
    return Kept.fields(
            "namespace",
            "name",
            "uid",
            "resourceVersion",
            "labels",
            "creationTimestamp",
            "deletionTimestamp")
        .with("annotations", Kept.fields(DeletionCosts.ANNOTATION, PodTimes.IMAGES))
        .with(
            "managedFields",
            Kept.fields("manager", "time").with("fieldsV1", DeletionCosts.managedField()));
  }

  private static Kept container() {
    return Kept.fields("name", "resources", "restartPolicy");
  }

  private static Kept status() {
    return Kept.fields("phase")
        .with("conditions", Kept.fields("type", "status", "reason", "lastTransitionTime"))
        .with("containerStatuses", Kept.fields("name", "restartCount", "state"));
  }
}
