package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;

/** A reference to the workload, in the same namespace. */
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value =
        "!(self.kind in ['Pod', 'DaemonSet', 'Job', 'CronJob', 'HorizontalPodAutoscaler',"
            + " 'PredictiveHPA'])",
    fieldPath = ".kind",
    messageExpression =
        "'scaleTargetRef.kind is ' + self.kind + ', which has no scale subresource; name the owner"
            + " of the pods, such as a Deployment, a StatefulSet or a LeaderWorkerSet'")
public record ScaleTargetRef(
    @Required
        @Size(min = 1, max = 317)
        @ValidationRule(
            value = "self.matches('^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v[0-9]+[a-z0-9]*$')",
            messageExpression =
                "'scaleTargetRef.apiVersion is \\'' + self + '\\'; write group and version, such as"
                    + " apps/v1 for a Deployment'")
        @JsonPropertyDescription("Group and version of the workload, such as apps/v1.")
        String apiVersion,
    @Required
        @Size(min = 1, max = 63)
        @ValidationRule(
            value = "self.matches('^[A-Z][A-Za-z0-9]*$')",
            messageExpression =
                "'scaleTargetRef.kind is \\'' + self + '\\'; write the kind as in the workload\\'s"
                    + " manifest, such as Deployment'")
        @JsonPropertyDescription("Kind of the workload, such as Deployment.")
        String kind,
    @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
            messageExpression =
                "'scaleTargetRef.name is \\'' + self + '\\', which is not a valid name; write the"
                    + " workload\\'s metadata.name'")
        @JsonPropertyDescription("Name of the workload.")
        String name) {

  public ScaleTargetRef {
    Objects.requireNonNull(apiVersion, "spec.scaleTargetRef.apiVersion is missing");
    Objects.requireNonNull(kind, "spec.scaleTargetRef.kind is missing");
    Objects.requireNonNull(name, "spec.scaleTargetRef.name is missing");
  }

  /** The form of the status: {@code Deployment/chat}. */
  public String display() {
    return kind + "/" + name;
  }
}
