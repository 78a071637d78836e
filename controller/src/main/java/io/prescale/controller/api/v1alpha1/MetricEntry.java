package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.autoscaling.v2.MetricSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A demand to forecast, from a query or a preset, or a native HPA metric that is passed on. Exactly
 * one of {@code prometheus}, {@code preset} and {@code passedOn} is present.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "[has(self.prometheus), has(self.preset), has(self.native)].filter(x, x).size() == 1",
    messageExpression =
        "'metric \\'' + self.name + '\\' needs exactly one of prometheus, preset and native; '"
            + " + (has(self.prometheus) || has(self.preset) || has(self.native) ? 'remove all but"
            + " one' : 'add one')")
@ValidationRule(
    value = "has(self.native) != has(self.target)",
    fieldPath = ".target",
    messageExpression =
        "has(self.native) ? 'metric \\'' + self.name + '\\' has both target and native, which has"
            + " its own target; remove target' : 'metric \\'' + self.name + '\\' has no target;"
            + " write target.averageValue, the demand that one replica can carry'")
@ValidationRule(
    value = "!has(self.native) || !has(self.leading)",
    fieldPath = ".leading",
    messageExpression =
        "'metric \\'' + self.name + '\\' is native, and is not forecast; remove leading'")
@ValidationRule(
    value = "has(self.preset) || !(has(self.model) || has(self.namespace) || has(self.signal))",
    fieldPath = ".preset",
    messageExpression =
        "'metric \\'' + self.name + '\\' has model, namespace or signal but no preset to apply them"
            + " to; add preset or remove them'")
@ValidationRule(
    value =
        "!(has(self.preset) && self.preset in ['dcgm', 'llm-d', 'http-add-on'] &&"
            + " has(self.signal) && self.signal == 'Tokens')",
    fieldPath = ".signal",
    messageExpression =
        "'metric \\'' + self.name + '\\' has signal Tokens, which the preset ' + self.preset +"
            + " ' does not support;"
            + " write Requests, or leave it out'")
public record MetricEntry(
    @Required
        @Size(min = 1, max = 63)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9_.]*[a-z0-9])?$')",
            messageExpression =
                "'metric name \\'' + self + '\\' cannot be part of a URL; write lower-case letters,"
                    + " digits and -, _ or . between them, such as chat-requests'")
        @JsonPropertyDescription(
            "Name of the metric; the HPA reads it as an external metric with this name.")
        String name,
    @JsonPropertyDescription("Your own query.") @Nullable PrometheusQuery prometheus,
    @JsonPropertyDescription(
            "Built-in query for the demand of a model server; `prescale preset NAME` prints it.")
        @Nullable PresetName preset,
    @Size(min = 1, max = 253)
        @ValidationRule(
            value = "!self.matches('[[:cntrl:]]')",
            message =
                "model contains a line break or another control character; write the model's name"
                    + " as the server's metrics show it")
        @JsonPropertyDescription(
            "Model that the preset's query selects, as named in the server's metrics; without it,"
                + " the query sums all models of the namespace.")
        @Nullable String model,
    @Size(min = 1, max = 63)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
            messageExpression =
                "'namespace is \\'' + self + '\\', which is not a valid namespace name; write"
                    + " lower-case letters, digits and - between them'")
        @JsonPropertyDescription(
            "Namespace that the preset's query selects; by default this resource's own.")
        @Nullable String namespace,
    @JsonPropertyDescription(
            "What the preset measures. Requests (the default): running and waiting requests."
                + " Tokens: the tokens per second that these requests need.")
        @Nullable PresetSignal signal,
    @JsonPropertyDescription("Demand that one replica can carry.") @Nullable MetricTarget target,
    @Size(max = 4)
        @ValidationRule(
            value = "self.all(s, self.exists_one(t, t.name == s.name))",
            message = "leading uses a name twice; give each series a name of its own")
        @JsonPropertyDescription(
            "Series that may show this demand before it comes, such as arrivals at a gateway,"
                + " sessions, or the demand of an upstream service. How much later demand follows"
                + " each is learned from the history, and what they say counts as far as it lowers"
                + " the forecast's loss.")
        List<LeadingMetric> leading,
    @JsonProperty("native")
        @JsonPropertyDescription(
            "A native HPA metric (autoscaling/v2), such as CPU, passed on unchanged: it acts"
                + " alongside the forecasts and can only raise the number of replicas.")
        @Nullable MetricSpec passedOn) {

  public MetricEntry {
    Objects.requireNonNull(name, "a metric has no name");
    leading = leading == null ? List.of() : List.copyOf(leading);
  }

  /** The target of a forecast metric. */
  public Quantity averageValue() {
    return Objects.requireNonNull(target, "the metric " + name + " has no target").averageValue();
  }
}
