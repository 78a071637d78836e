package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The state of the breaker and its reason. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BreakerStatus(
    @Required
        @JsonPropertyDescription(
            "Closed: the forecast is followed. Open: the newest value, or the day before, is"
                + " followed instead. Learning: there is too little history to judge forecasts.")
        BreakerState state,
    @Size(max = 256) @JsonPropertyDescription("Why the breaker is in this state.")
        @Nullable String reason) {
  public BreakerStatus {
    Objects.requireNonNull(state, "state");
  }
}
