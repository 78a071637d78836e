package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What may not fit, and what would help. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanStatement(
    @Required
        @JsonPropertyDescription("Beginning of the first step in which more is needed than fits.")
        Instant from,
    @Required @JsonPropertyDescription("End of the last of these steps in a row.") Instant until,
    @Required
        @JsonPropertyDescription(
            "Beginning of the step for which the probability is stated: the one with the "
                + "highest need.")
        Instant at,
    @Size(max = 20)
        @JsonPropertyDescription(
            "PredictiveHPAs that need it together, by namespace and name; the largest " + "first.")
        List<String> workloads,
    @Required @JsonPropertyDescription("What each replica asks for.") String shape,
    @Required @JsonPropertyDescription("Replicas that suffice with the probability of the plan.")
        int needed,
    @Required @JsonPropertyDescription("Replicas that fit, those that run among them.") int fits,
    @Required @JsonPropertyDescription("Probability, in percent, that more are needed than fit.")
        int percent,
    @JsonPropertyDescription("How many more fit if the pods below are asked to leave.")
        @Nullable Integer askedFit,
    @Size(max = 20) @JsonPropertyDescription("Pods on borrowed cards that can be asked to leave.")
        List<PlanAsk> asks,
    @JsonPropertyDescription(
            "Nodes that the rest needs; absent when nothing is missing or no kind of node "
                + "would hold it.")
        @Nullable PlanNodes nodes,
    @Required @JsonPropertyDescription("All of this in a sentence.") String message) {
  public PlanStatement {
    workloads = List.copyOf(Objects.requireNonNullElse(workloads, List.of()));
    asks = List.copyOf(Objects.requireNonNullElse(asks, List.of()));
  }
}
