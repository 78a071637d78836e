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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One demand to forecast, from a query or a preset; or a native HPA metric that is passed on.
 * Exactly one of {@code prometheus}, {@code preset} and {@code passedOn} is there.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
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
        "has(self.native) ? 'metric \\'' + self.name + '\\' has target beside native, which has its"
            + " own; remove target' : 'metric \\'' + self.name + '\\' has no target; write"
            + " target.averageValue, the demand that one replica carries'")
@ValidationRule(
    value = "has(self.preset) || !(has(self.model) || has(self.namespace) || has(self.signal))",
    fieldPath = ".preset",
    messageExpression =
        "'metric \\'' + self.name + '\\' has model, namespace or signal without preset, which they"
            + " fill in; add preset or remove them'")
@ValidationRule(
    value =
        "!(has(self.preset) && self.preset == 'dcgm' && has(self.signal) && self.signal =="
            + " 'Tokens')",
    fieldPath = ".signal",
    messageExpression =
        "'metric \\'' + self.name + '\\' has signal Tokens, which the preset dcgm does not have;"
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
            "Name of the metric; the HPA asks for it as an external metric of this name.")
        String name,
    @JsonPropertyDescription("A query of your own.") @Nullable PrometheusQuery prometheus,
    @JsonPropertyDescription(
            "A query that comes with Prescale, for the demand of a model server; `prescale preset"
                + " NAME` prints it.")
        @Nullable PresetName preset,
    @Size(min = 1, max = 253)
        @ValidationRule(
            value = "!self.matches('[[:cntrl:]]')",
            message =
                "model has a line break or another control character; write the model's name as the"
                    + " server's metrics show it")
        @JsonPropertyDescription(
            "Model that the preset's query selects, as the server's metrics name it; without it"
                + " all models of the namespace are added up.")
        @Nullable String model,
    @Size(min = 1, max = 63)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
            messageExpression =
                "'namespace is \\'' + self + '\\', which no namespace can be called; write"
                    + " lower-case letters, digits and - between them'")
        @JsonPropertyDescription(
            "Namespace that the preset's query selects; without it, this resource's own.")
        @Nullable String namespace,
    @JsonPropertyDescription(
            "What the preset measures. Requests (when absent): those that run and those that wait."
                + " Tokens: tokens a second that they would take together.")
        @Nullable PresetSignal signal,
    @JsonPropertyDescription("What one replica carries.") @Nullable MetricTarget target,
    @JsonProperty("native")
        @JsonPropertyDescription(
            "A metric of the HPA's own kind (autoscaling/v2), such as CPU, passed on as it is: it"
                + " acts beside the forecasts and can only raise the number of replicas.")
        @Nullable MetricSpec passedOn) {

  public MetricEntry {
    Objects.requireNonNull(name, "a metric has no name");
  }

  /** A demand that a query of the user's gives. */
  public static MetricEntry ofQuery(String name, String query, String averageValue) {
    return new MetricEntry(
        name,
        new PrometheusQuery(query),
        null,
        null,
        null,
        null,
        MetricTarget.of(averageValue),
        null);
  }

  /** The target of a metric that is forecast. */
  public Quantity averageValue() {
    return Objects.requireNonNull(target, "the metric " + name + " has no target").averageValue();
  }
}
