package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Objects;

/** What one replica carries. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record MetricTarget(
    @Required
        @ValidationRule(
            value =
                "type(self) == int ? self > 0 : isQuantity(string(self)) &&"
                    + " quantity(string(self)).isGreaterThan(quantity('0'))",
            messageExpression =
                "'averageValue is \\'' + string(self) + '\\'; write a quantity above 0, such as 40,"
                    + " 2.5 or 500m'")
        @JsonPropertyDescription(
            "Demand that one ready replica carries, in the unit of the metric: the HPA's"
                + " AverageValue. `prescale preset NAME --capacity` proposes one from history.")
        Quantity averageValue) {

  public MetricTarget {
    Objects.requireNonNull(averageValue, "target.averageValue is missing");
  }

  /** A target as written in a manifest. */
  public static MetricTarget of(String averageValue) {
    return new MetricTarget(Quantity.parse(averageValue));
  }
}
