package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which pods a scale-in removes first. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "!has(self.prometheus) || self.podDeletionCost == 'WorkInFlight'",
    fieldPath = ".prometheus",
    message =
        "scaleIn.prometheus is set, and podDeletionCost is None; write podDeletionCost:"
            + " WorkInFlight, or remove prometheus")
public record ScaleInSpec(
    @Default("\"None\"")
        @JsonPropertyDescription(
            "None: the ReplicaSet's own order. WorkInFlight: in Active mode, when a scale-in is"
                + " near, the pods with the least work in flight get a lower"
                + " controller.kubernetes.io/pod-deletion-cost, so that they are removed first."
                + " Needs deletionCosts.enabled of the chart.")
        DeletionCost podDeletionCost,
    @JsonPropertyDescription(
            "Your own query for the work in flight of each pod, instead of that of the first metric"
                + " whose preset knows it: vllm, sglang, tgi, triton or nim.")
        @Nullable PodQuery prometheus) {
  public ScaleInSpec {
    podDeletionCost = Objects.requireNonNullElse(podDeletionCost, DeletionCost.None);
  }
}
