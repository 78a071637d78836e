package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The newest revision of a target's pods, and since when there are pods of it. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record RolloutStatus(
    @Required
        @Size(max = 63)
        @JsonPropertyDescription(
            "The label by which pods of one revision are distinguished from others.")
        String revision,
    @JsonPropertyDescription(
            "When the first pod of it was created; absent for a revision that was there before"
                + " Prescale looked.")
        @Nullable Instant at) {
  public RolloutStatus {
    Objects.requireNonNull(revision, "revision");
  }
}
