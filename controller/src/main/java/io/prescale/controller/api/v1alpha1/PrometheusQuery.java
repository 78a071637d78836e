package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The user's own query. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PrometheusQuery(
    @Required
        @Size(min = 1, max = 4096)
        @ValidationRule(
            value = "self.matches('[^[:space:]]')",
            message =
                "query is blank; write a PromQL expression that returns one series, such as"
                    + " sum(rate(http_requests_total[1m]))")
        @JsonPropertyDescription(
            "PromQL expression that returns one series: the demand of the whole workload, such as"
                + " requests in flight. Do not use a utilisation, which saturates.")
        String query,
    @Size(min = 1, max = 63)
        @JsonPropertyDescription(
            "Unit of the query's value and of the target, such as tokens a second; the page shows"
                + " it.")
        @Nullable String unit) {

  public PrometheusQuery {
    Objects.requireNonNull(query, "prometheus.query is missing");
  }
}
