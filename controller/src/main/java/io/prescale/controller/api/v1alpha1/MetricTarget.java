package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Objects;

/**
 * The demand that one replica can carry.
 *
 * <p>The API server evaluates rules even where the pattern refuses a value, and needs minutes to
 * parse a quantity with an exponent of nine digits; therefore the rule looks at the exponent first.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record MetricTarget(
    @Required
        @ValidationRule(
            value =
                "type(self) == int ? self > 0 : !self.matches('[eE]....') && isQuantity(self) &&"
                    + " quantity(self).isGreaterThan(quantity('0'))",
            message = "averageValue must be a quantity above 0; write one such as 40 or 500m")
        @JsonPropertyDescription(
            "Demand that one ready replica can carry, in the unit of the metric: the HPA's"
                + " AverageValue. Write a fraction in quotes. `prescale preset NAME --capacity`"
                + " proposes a value from history.")
        Quantity averageValue) {

  public MetricTarget {
    Objects.requireNonNull(averageValue, "target.averageValue is missing");
  }
}
