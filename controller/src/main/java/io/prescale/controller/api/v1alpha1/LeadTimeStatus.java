package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How far ahead is scaled. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeadTimeStatus(
    @Required @JsonPropertyDescription("The lead time in seconds.") long seconds,
    @Required
        @JsonPropertyDescription(
            "Measured: 90th percentile of recent scale-ups. Default: none was seen yet. Declared:"
                + " spec.leadTime.")
        LeadTimeSource source,
    @JsonPropertyDescription("New replicas that the measurement rests on.")
        @Nullable Integer samples,
    @JsonPropertyDescription("When the newest of them became ready.") @Nullable Instant observedAt,
    @JsonPropertyDescription("What the time consists of.") @Nullable LeadTimeParts parts) {
  public LeadTimeStatus {
    Objects.requireNonNull(source, "source");
  }
}
