package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The accepted risk of a shortage, in one of two forms, what a start costs, and the risk at zero.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "!(has(self.budget) && has(self.shortageCost))",
    message = "risk has both budget and shortageCost; remove one")
@ValidationRule(
    value = "!(has(self.costLimit) && has(self.shortageCost))",
    message = "risk has both costLimit and shortageCost, which is a fixed cost; remove one")
@ValidationRule(
    value =
        "has(self.budget) || has(self.costLimit) || has(self.shortageCost) || has(self.startCost)"
            + " || has(self.atZero)",
    message = "risk is empty; write budget, such as 0.5%, or shortageCost, such as 20")
public record RiskSpec(
    @Size(min = 2, max = 12)
        @ValidationRule(
            value = IS_SHARE,
            messageExpression =
                "'budget is \\'' + self + '\\'; write a percentage of the time above 0% and at most"
                    + " 50%, such as 0.5%'")
        @JsonPropertyDescription(
            "Share of the time during which ready capacity may fall short of demand, such as 0.5%.")
        @Nullable String budget,
    @Min(1)
        @Max(100)
        @JsonPropertyDescription(
            "By what factor the price of a shortage may rise while the budget is missed: a higher"
                + " one buys more replicas for a load that is hard to forecast. By default 2."
                + " prescale replay --budget-curve shows what each limit would have cost.")
        @Nullable Integer costLimit,
    @Min(2)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Number of idle replica-minutes that one missing replica-minute is worth.")
        @Nullable Integer shortageCost,
    @Min(0)
        @Max(60)
        @JsonPropertyDescription(
            "What the start of a replica is worth, in replica-minutes. With a higher one, replicas"
                + " are started only for more use, and kept while they are likely to be needed"
                + " again. By default 0: starts are free.")
        @Nullable Integer startCost,
    @Size(min = 2, max = 12)
        @ValidationRule(
            value = IS_SHARE,
            messageExpression =
                "'atZero is \\'' + self + '\\'; write a percentage above 0% and at most 50%, such"
                    + " as 5%'")
        @JsonPropertyDescription(
            "With minReplicas 0: accepted probability that demand comes while there is no replica."
                + " When it is forecast with a higher one, a replica is started a lead time ahead."
                + " By default 5%.")
        @Nullable String atZero) {
  /** Above 0 % and at most 50 %. */
  private static final String IS_SHARE =
      PercentText.IS_PERCENTAGE
          + (" && " + PercentText.NUMBER + " > 0.0")
          + (" && " + PercentText.NUMBER + " <= 50.0");

  /** The budget as a share, 0.005 for 0.5%. */
  public Optional<Double> budgetShare() {
    return Optional.ofNullable(budget).map(PercentText::share);
  }

  /** The risk at zero as a share, 0.05 for 5%. */
  public Optional<Double> atZeroShare() {
    return Optional.ofNullable(atZero).map(PercentText::share);
  }
}
