package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which replicas are expected, what each asks for, and what it costs if one is missing. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuBookingSpec(
    @Required
        @ValidationRule(
            value = "self.size() > 0 && self.size() <= 20",
            message = "selector is empty or has more than 20 labels; write those of the pods")
        @JsonPropertyDescription(
            "Labels, all of which a pod of the booking's namespace has: such pods take the cards"
                + " that are kept, and are no longer expected once they have cards.")
        Map<String, String> selector,
    @Required
        @JsonPropertyDescription(
            "What a replica asks for: the template of its pods, of which only what decides about"
                + " places counts (resources, labels and annotations, node selector, tolerations,"
                + " scheduler, priority), and what is pulled: images, volumes that are images, and"
                + " pull secrets.")
        PodTemplateSpec template,
    @Size(max = 100)
        @JsonPropertyDescription(
            "How many replicas are needed when, running ones included; without any, nothing is"
                + " kept.")
        List<BookingNeed> needs,
    @Required
        @Min(0)
        @Max(1000)
        @JsonPropertyDescription(
            "What an hour without a replica that is needed costs, in replica-hours. Cards are kept,"
                + " and pods asked to leave, where that is expected to cost less.")
        double shortagePrice) {
  public GpuBookingSpec {
    selector = Map.copyOf(Objects.requireNonNullElse(selector, Map.of()));
    needs = List.copyOf(Objects.requireNonNullElse(needs, List.of()));
  }
}
