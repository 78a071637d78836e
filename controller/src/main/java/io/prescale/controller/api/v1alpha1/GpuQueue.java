package io.prescale.controller.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A queue of pods that ask for cards, and the part of the cluster's cards that it may have. */
@Group("placement.prescale.io")
@Version("v1alpha1")
@Kind("GpuQueue")
@Singular("gpuqueue")
@Plural("gpuqueues")
@ShortNames("gq")
@AdditionalPrinterColumn(
    name = "Parent",
    jsonPath = ".spec.parent",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Used",
    jsonPath = ".status.used",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Guarantee",
    jsonPath = ".spec.guarantee",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Limit",
    jsonPath = ".spec.limit",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Owed",
    jsonPath = ".status.owed",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Waiting",
    jsonPath = ".status.waiting",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Oldest",
    jsonPath = ".status.waitingSince",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type=='Ready')].reason",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class GpuQueue extends CustomResource<GpuQueueSpec, GpuQueueStatus> {
  private static final long serialVersionUID = 1;
}
