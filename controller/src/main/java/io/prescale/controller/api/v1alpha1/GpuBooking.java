package io.prescale.controller.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** Replicas of one workload that are expected, and for which cards are kept. */
@Group("placement.prescale.io")
@Version("v1alpha1")
@Kind("GpuBooking")
@Singular("gpubooking")
@Plural("gpubookings")
@ShortNames("gb")
@AdditionalPrinterColumn(
    name = "Expected",
    jsonPath = ".status.expected",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Booked",
    jsonPath = ".status.booked",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Asked",
    jsonPath = ".status.asked",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Missing",
    jsonPath = ".status.missing",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type=='Ready')].reason",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class GpuBooking extends CustomResource<GpuBookingSpec, GpuBookingStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1;
}
