package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;

/** The user's own query for a value of each pod. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PodQuery(
    @Required
        @Size(min = 1, max = 4096)
        @ValidationRule(
            value = "self.matches('[^[:space:]]')",
            message =
                "query is blank; write a PromQL expression that returns a series for each pod, such"
                    + " as sum by (pod) (requests_in_flight)")
        @JsonPropertyDescription(
            "PromQL expression that returns a series with the label pod for each pod: its work in"
                + " flight, such as sum by (pod) (requests_in_flight).")
        String query) {

  public PodQuery {
    Objects.requireNonNull(query, "prometheus.query is missing");
  }
}
