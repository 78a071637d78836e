package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;

/** A pod whose cards are borrowed and that can be asked to leave. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanAsk(
    @Required @JsonPropertyDescription("Namespace and name of the pod.") String pod,
    @Required @JsonPropertyDescription("Time at which its notice has to begin.") Instant notice) {}
