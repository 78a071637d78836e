package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A budget that its cost limit does not let forecasts keep. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record MissedBudgetStatus(
    @JsonPropertyDescription("Share of the time, 0 to 1, that capacity may fall short.")
        @Nullable Double budget,
    @JsonPropertyDescription("Share of the last days, 0 to 1, that it did.")
        @Nullable Double shortShare,
    @JsonPropertyDescription(
            "About how many times the current replicas would keep the budget, with a higher"
                + " spec.risk.costLimit; absent where no costLimit is high enough.")
        @Nullable Double timesReplicas) {}
