package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.time.Instant;

/** Nodes that are missing. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanNodes(
    @Required @JsonPropertyDescription("How many nodes.") int count,
    @Required
        @JsonPropertyDescription(
            "What each is like: a kind of node that the cluster has, such as h100 or 8 x "
                + "NVIDIA A100.")
        String kind,
    @Required @JsonPropertyDescription("Time at which they have to be ordered.") Instant startBy) {}
