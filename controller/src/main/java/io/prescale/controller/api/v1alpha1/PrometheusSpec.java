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

/**
 * A Prometheus server and the credentials for it, which come from Secrets in the same namespace.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value = "!(has(self.bearerToken) && has(self.basicAuth))",
    fieldPath = ".basicAuth",
    message = "prometheus has both bearerToken and basicAuth; remove one")
@ValidationRule(
    value = "!has(self.oauth2) || !(has(self.bearerToken) || has(self.basicAuth))",
    fieldPath = ".oauth2",
    message = "prometheus has oauth2 and other credentials; remove all but one")
@ValidationRule(
    value = "!has(self.tls) || !self.url.startsWith('http:')",
    fieldPath = ".tls",
    message = "prometheus.tls has no effect on an http URL; write https, or remove tls")
public record PrometheusSpec(
    @Required
        @Size(min = 1, max = 2048)
        @ValidationRule(
            value =
                "isURL(self) && url(self).getScheme() in ['http', 'https'] &&"
                    + " url(self).getHostname() != '' && !self.contains('@') && !self.contains('?')"
                    + " && !self.contains('#') && self.matches('"
                    + PrometheusSpec.URL
                    + "') && (url(self).getPort() == '' || int(url(self).getPort()) <= 65535)",
            messageExpression =
                "'prometheus.url is not the URL of a server; write http or https, host, and path"
                    + " before /api/v1, without user, query or fragment, such as"
                    + " http://prometheus.monitoring:9090'")
        @JsonPropertyDescription(
            "Base URL of Prometheus, Thanos, Mimir or VictoriaMetrics, without /api/v1, such as"
                + " https://mimir:8080/prometheus.")
        String url,
    @Size(min = 1, max = 150)
        @ValidationRule(
            value = "self.matches('^[!-~]+$')",
            messageExpression =
                "'tenant is \\'' + self + '\\'; write it without spaces, as Mimir names the"
                    + " tenant'")
        @JsonPropertyDescription("Tenant of Mimir or Cortex (header X-Scope-OrgID).")
        @Nullable String tenant,
    @JsonPropertyDescription("Secret with a bearer token.") @Nullable SecretKeyRef bearerToken,
    @JsonPropertyDescription("Secrets with user name and password.")
        @Nullable BasicAuthSpec basicAuth,
    @JsonPropertyDescription(
            "Token server that gives tokens for this server (OAuth 2.0 client credentials).")
        @Nullable OAuth2Spec oauth2,
    @JsonPropertyDescription(
            "Trusted CA and client certificate. Server certificates are always verified.")
        @Nullable TlsSpec tls) {

  /** The URLs of servers that java.net.URI reads. */
  static final String URL =
      "^https?://([A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?([.][A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?)*"
          + "[.]?|\\\\[[0-9a-fA-F:.]+\\\\])(:[0-9]{1,5})?(/([-A-Za-z0-9._~!$&()*+,;=:@/]|%[0-9A-Fa-f]{2})*)?$";

  public PrometheusSpec {
    Objects.requireNonNull(url, "prometheus.url is missing");
  }

  /** The URL. */
  public URI uri() {
    return URI.create(url);
  }
}
