package io.prescale.controller.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** What all services will need within a day, and what of it fits. */
@Group("placement.prescale.io")
@Version("v1alpha1")
@Kind("CapacityPlan")
@Singular("capacityplan")
@Plural("capacityplans")
@AdditionalPrinterColumn(
    name = "Summary",
    jsonPath = ".status.summary",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Made",
    jsonPath = ".status.madeAt",
    type = AdditionalPrinterColumn.Type.DATE)
public final class CapacityPlan extends CustomResource<Void, CapacityPlanStatus> {
  /** The name of the only one. */
  public static final String NAME = "cluster";

  private static final long serialVersionUID = 1;
}
