package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import java.util.Objects;

/** Whether cards are kept for replicas that are forecast and do not exist yet. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BookingSpec(
    @Default("\"Off\"")
        @JsonPropertyDescription(
            "Off: cards are found when the replicas are created. Book: while the forecast is"
                + " trusted and the mode is Active, a GpuBooking of the same name says which"
                + " replicas are needed within the next hours; the scheduler extender keeps cards"
                + " for them. Needs bookings.enabled of the chart.")
        BookingMode mode) {
  public BookingSpec {
    mode = Objects.requireNonNullElse(mode, BookingMode.Off);
  }
}
