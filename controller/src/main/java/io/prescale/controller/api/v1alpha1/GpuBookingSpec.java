package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which replicas of a workload are expected, and what one of them asks for. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuBookingSpec(
    @Required
        @JsonPropertyDescription(
            "Labels of the pods that take the booking, and of those that count as there already.")
        Map<String, String> selector,
    @Required
        @JsonPropertyDescription(
            "What one replica asks for: the part of a pod's template that decides about places.")
        PodTemplateSpec template,
    @Size(max = 100)
        @JsonPropertyDescription("How many replicas are needed when. Without any, nothing is kept.")
        List<BookingNeed> needs,
    @Default("20")
        @Min(0)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "What a replica that is needed and missing costs, in replicas that are idle as long.")
        @Nullable Double shortagePrice) {
  /** The price without one in the spec. */
  public static final double USUAL_PRICE = 20;

  public GpuBookingSpec {
    Objects.requireNonNull(selector, "spec.selector is missing");
    Objects.requireNonNull(template, "spec.template is missing");
    selector = Map.copyOf(selector);
    needs = List.copyOf(Objects.requireNonNullElse(needs, List.of()));
    shortagePrice = Objects.requireNonNullElse(shortagePrice, USUAL_PRICE);
  }
}
