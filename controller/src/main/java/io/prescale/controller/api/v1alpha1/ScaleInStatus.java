package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What became of {@code spec.scaleIn}. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ScaleInStatus(
    @Required @JsonPropertyDescription("What became of spec.scaleIn, from a closed list.")
        ScaleInReason reason,
    @Required @Size(max = 512) @JsonPropertyDescription("The same in a sentence.") String message,
    @Nullable
        @JsonPropertyDescription(
            "The workload whose pods Prescale marks, so that marks are removed where another one is"
                + " named.")
        ScaleTargetRef marked) {
  private static final int LONGEST_MESSAGE = 512;

  public ScaleInStatus {
    Objects.requireNonNull(reason, "reason");
    message = Shortened.to(LONGEST_MESSAGE, message);
  }
}
