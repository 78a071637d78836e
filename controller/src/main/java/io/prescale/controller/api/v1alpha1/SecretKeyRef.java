package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;

/** A reference to one entry of a Secret in the same namespace. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SecretKeyRef(
    @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
            messageExpression =
                "'\\'' + self + '\\' is not a valid Secret name; write its metadata.name'")
        @JsonPropertyDescription("Name of the Secret.")
        String name,
    @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[-._a-zA-Z0-9]+$')",
            messageExpression =
                "'\\'' + self + '\\' is not a valid Secret key; write one of the keys in its data'")
        @JsonPropertyDescription("Key in the Secret's data.")
        String key) {

  public SecretKeyRef {
    Objects.requireNonNull(name, "the reference to a Secret has no name");
    Objects.requireNonNull(key, "the reference to a Secret has no key");
  }
}
