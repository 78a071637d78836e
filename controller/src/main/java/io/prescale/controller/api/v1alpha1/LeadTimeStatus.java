package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lead time, its source and its parts. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record LeadTimeStatus(
    @Required @JsonPropertyDescription("The lead time in seconds.") long seconds,
    @Required
        @JsonPropertyDescription(
            "Measured: 90th percentile of recent scale-ups. Default: no scale-up has been observed"
                + " yet. Declared: spec.leadTime.")
        LeadTimeSource source,
    @JsonPropertyDescription("Number of new replicas behind the measurement.")
        @Nullable Integer samples,
    @JsonPropertyDescription("Time at which the newest of them became ready.")
        @Nullable Instant observedAt,
    @JsonPropertyDescription("Parts of the lead time.") @Nullable LeadTimeParts parts) {
  public LeadTimeStatus {
    Objects.requireNonNull(source, "source");
  }
}
