package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a central forecast, which add up to it, except for the calibration. Values are
 * Kubernetes quantities.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForecastPartsStatus(
    @Size(max = 32) @JsonPropertyDescription("Level without season.") @Nullable String level,
    @Size(max = 32) @JsonPropertyDescription("Contribution of the daily and weekly seasons.")
        @Nullable String season,
    @Size(max = 32) @JsonPropertyDescription("Contribution of declared events.")
        @Nullable String event,
    @Size(max = 32) @JsonPropertyDescription("Contribution of the deviation in the last minutes.")
        @Nullable String correction,
    @Size(max = 32) @JsonPropertyDescription("Shift of the 95 % quantile by recent errors.")
        @Nullable String calibration,
    @Min(1)
        @JsonPropertyDescription(
            "How many other services of the namespace a part of the forecast is borrowed from;"
                + " absent when none is.")
        @Nullable Integer relatives,
    @Size(max = 4) @JsonPropertyDescription("Series that a part of the forecast follows.")
        List<LeadingStatus> leading) {

  public ForecastPartsStatus {
    leading = leading == null ? List.of() : List.copyOf(leading);
  }
}
