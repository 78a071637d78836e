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
import org.jspecify.annotations.Nullable;

/** Which replicas are expected, what each asks for, and what it costs if one is missing. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "!has(self.leaderTemplate) || (has(self.size) && self.size > 1)",
    fieldPath = ".leaderTemplate",
    message =
        "leaderTemplate is for a gang, and size says there is none; write a size of 2 or more")
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
    @Min(1)
        @Max(GpuBookingSpec.LARGEST)
        @JsonPropertyDescription(
            "How many pods a replica has; absent: one. Several are a gang, such as a group of a"
                + " LeaderWorkerSet: they name one group, and are placed together or not at all.")
        @Nullable Integer size,
    @JsonPropertyDescription(
            "What the first pod of a gang asks for, if it differs from the others.")
        @Nullable PodTemplateSpec leaderTemplate,
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
  /** More pods are no replica. */
  public static final int LARGEST = 200;

  public GpuBookingSpec {
    if (size != null && (size < 1 || size > LARGEST)) {
      throw new IllegalArgumentException("a replica of %d pods; give 1 to 200".formatted(size));
    }
    selector = Map.copyOf(Objects.requireNonNullElse(selector, Map.of()));
    needs = List.copyOf(Objects.requireNonNullElse(needs, List.of()));
  }

  /** How many pods a replica has. */
  public int pods() {
    return size == null ? 1 : size;
  }

  /** What the first of them asks for. */
  public PodTemplateSpec leader() {
    return leaderTemplate == null ? template : leaderTemplate;
  }

  /** The same without needs. */
  public GpuBookingSpec withoutNeeds() {
    return new GpuBookingSpec(selector, template, size, leaderTemplate, List.of(), shortagePrice);
  }
}
