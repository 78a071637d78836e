package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether a forecast is trusted. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record BreakerStatus(
    @Required
        @JsonPropertyDescription(
            "Closed: the forecast is used. Open: the observed value is served instead. Learning:"
                + " not enough is known yet.")
        BreakerState state,
    @Size(max = 256) @JsonPropertyDescription("Why.") @Nullable String reason) {
  public BreakerStatus {
    Objects.requireNonNull(state, "state");
  }
}
