package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.LocalDate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A day on which demand is as on a Sunday. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
public record HolidaySpec(
    @Required
        @Size(min = 10, max = 10)
        @ValidationRule(
            value =
                "self.matches('^20([0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|([02468][048]|[13579][26])-02-29)$')",
            messageExpression =
                "'date is \\'' + self + '\\', which is no day from 2000 to 2099; write it as"
                    + " 2026-12-25'")
        @JsonPropertyDescription("The day, in spec.forecast.timeZone, such as 2026-12-25.")
        String date,
    @Size(max = 63) @JsonPropertyDescription("What it is, for readers.") @Nullable String name) {

  public HolidaySpec {
    Objects.requireNonNull(date, "a holiday has no date");
  }

  /**
   * The day.
   *
   * @throws java.time.DateTimeException if there is none of this name; the message says so
   */
  public LocalDate localDate() {
    return LocalDate.parse(date);
  }
}
