package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Objects;

/** One entry of a Secret in the namespace of the resource that names it. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SecretKeyRef(
    @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$')",
            messageExpression =
                "'\\'' + self + '\\' cannot be the name of a Secret; write its metadata.name'")
        @JsonPropertyDescription("Name of the Secret.")
        String name,
    @Required
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self.matches('^[-._a-zA-Z0-9]+$')",
            messageExpression =
                "'\\'' + self + '\\' cannot be a key of a Secret; write one of the keys below its"
                    + " data'")
        @JsonPropertyDescription("Key below the Secret's data.")
        String key) {

  public SecretKeyRef {
    Objects.requireNonNull(name, "the reference to a Secret has no name");
    Objects.requireNonNull(key, "the reference to a Secret has no key");
  }
}
