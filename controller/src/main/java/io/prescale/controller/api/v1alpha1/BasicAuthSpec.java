package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.Objects;

/** User name and password (RFC 7617). */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BasicAuthSpec(
    @Required @JsonPropertyDescription("Secret with the user name.") SecretKeyRef username,
    @Required @JsonPropertyDescription("Secret with the password.") SecretKeyRef password) {

  public BasicAuthSpec {
    Objects.requireNonNull(username, "basicAuth.username is missing");
    Objects.requireNonNull(password, "basicAuth.password is missing");
  }
}
