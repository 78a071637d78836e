package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server to ask, and how to be let in. Credentials come from Secrets of the same namespace. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "!(has(self.bearerToken) && has(self.basicAuth))",
    fieldPath = ".basicAuth",
    message = "prometheus has bearerToken and basicAuth, two ways in; remove one")
@ValidationRule(
    value = "!has(self.tls) || !self.url.startsWith('http:')",
    fieldPath = ".tls",
    message = "prometheus.tls means nothing with a url of http; write https, or remove tls")
public record PrometheusSpec(
    @Required
        @Size(min = 1, max = 2048)
        @ValidationRule(
            value =
                "isURL(self) && url(self).getScheme() in ['http', 'https'] &&"
                    + " url(self).getHostname() != '' && !self.contains('@') && !self.contains('?')"
                    + " && !self.contains('#')",
            messageExpression =
                "'prometheus.url is not one of a server; write http or https, host and path before"
                    + " /api/v1, without user, query or fragment, such as"
                    + " http://prometheus.monitoring:9090'")
        @JsonPropertyDescription(
            "Where the API's /api/v1 begins, of Prometheus, Thanos, Mimir or VictoriaMetrics, such"
                + " as https://mimir:8080/prometheus.")
        String url,
    @Size(min = 1, max = 150)
        @ValidationRule(
            value = "self.matches('^[!-~]+$')",
            messageExpression =
                "'tenant is \\'' + self + '\\'; write letters, digits and signs without spaces, as"
                    + " Mimir knows the tenant'")
        @JsonPropertyDescription("Tenant of Mimir or Cortex (header X-Scope-OrgID).")
        @Nullable String tenant,
    @JsonPropertyDescription("Secret with a bearer token.") @Nullable SecretKeyRef bearerToken,
    @JsonPropertyDescription("Secrets with user and password.") @Nullable BasicAuthSpec basicAuth,
    @JsonPropertyDescription("Whom to trust, and what to show. Never trusts just anybody.")
        @Nullable TlsSpec tls) {

  public PrometheusSpec {
    Objects.requireNonNull(url, "prometheus.url is missing");
  }

  /** The URL. */
  public URI uri() {
    return URI.create(url);
  }
}
