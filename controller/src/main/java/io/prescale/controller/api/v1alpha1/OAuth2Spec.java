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

/** A token server, and the client that it knows (RFC 6749, section 4.4). */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record OAuth2Spec(
    @Required
        @Size(min = 1, max = 2048)
        @ValidationRule(
            value =
                "isURL(self) && url(self).getScheme() == 'https' && url(self).getHostname() != ''"
                    + " && !self.contains('@') && !self.contains('?') && !self.contains('#') &&"
                    + " self.matches('"
                    + PrometheusSpec.URL
                    + "') && (url(self).getPort() == '' || int(url(self).getPort()) <= 65535)",
            message =
                "tokenUrl is not the URL of a token server; write https, host and path, without"
                    + " user, query or fragment, such as"
                    + " https://login.microsoftonline.com/TENANT/oauth2/v2.0/token")
        @JsonPropertyDescription(
            "URL that gives tokens, such as"
                + " https://login.microsoftonline.com/TENANT/oauth2/v2.0/token. An administrator"
                + " has to allow it, as the server itself.")
        String tokenUrl,
    @Required @JsonPropertyDescription("Secret with the client's ID.") SecretKeyRef clientId,
    @Required @JsonPropertyDescription("Secret with the client's secret.")
        SecretKeyRef clientSecret,
    @Size(min = 1, max = 1024)
        @ValidationRule(
            value = "self.matches('^[!#-\\\\[\\\\]-~ ]+$')",
            message = "scope contains a quote or a control character; write it as the service does")
        @JsonPropertyDescription(
            "Scope to ask for, several with spaces between them, such as"
                + " https://prometheus.monitor.azure.com/.default.")
        @Nullable String scope,
    @Size(min = 1, max = 1024)
        @JsonPropertyDescription("Audience to ask for, where the token server wants one.")
        @Nullable String audience,
    @JsonPropertyDescription(
            "Secret with CA certificates to trust for tokenUrl instead of the system's (PEM).")
        @Nullable SecretKeyRef ca) {

  public OAuth2Spec {
    Objects.requireNonNull(tokenUrl, "prometheus.oauth2.tokenUrl is missing");
    Objects.requireNonNull(clientId, "prometheus.oauth2.clientId is missing");
    Objects.requireNonNull(clientSecret, "prometheus.oauth2.clientSecret is missing");
  }

  /** The token URL. */
  public URI tokenUri() {
    return URI.create(tokenUrl);
  }
}
