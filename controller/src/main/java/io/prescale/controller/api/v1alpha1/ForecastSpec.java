package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** The history to learn from, the models, and known events and time zone. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@JsonIgnoreProperties(ignoreUnknown = true)
@ValidationRule(
    value =
        "!self.history.matches('^[1-9][0-9]{0,5}[smhdw]$') ||"
            + " !self.step.matches('^[1-9][0-9]{0,5}[smh]$') || int(self.history.substring(0,"
            + " size(self.history) - 1)) * (self.history.endsWith('s') ? 1 :"
            + " self.history.endsWith('m') ? 60 : self.history.endsWith('h') ? 3600 :"
            + " self.history.endsWith('d') ? 86400 : 604800) <= 50000 *"
            + " duration(self.step).getSeconds()",
    fieldPath = ".history",
    messageExpression =
        "'history is ' + self.history + ', more than 50000 steps of ' + self.step + '; write a"
            + " shorter history or a longer step'")
public record ForecastSpec(
    @Default("\"14d\"")
        @Size(min = 2, max = 7)
        @ValidationRule(
            value = "self.matches('^[1-9][0-9]{0,5}[smhdw]$')",
            messageExpression =
                "'history is \\'' + self + '\\'; write a whole number and one unit of s, m, h, d,"
                    + " w, such as 14d'")
        @ValidationRule(
            value =
                "!self.matches('^[1-9][0-9]{0,5}[smhdw]$') || int(self.substring(0, size(self) -"
                    + " 1)) * (self.endsWith('s') ? 1 : self.endsWith('m') ? 60 :"
                    + " self.endsWith('h') ? 3600 : self.endsWith('d') ? 86400 : 604800) <= 366 *"
                    + " 86400",
            messageExpression = "'history is ' + self + ', longer than a year; write 366d or less'")
        @JsonPropertyDescription(
            "Length of the history that is read from Prometheus at the start and kept: a whole"
                + " number and one unit of s, m, h, d, w, at most 366d and 50000 steps. A"
                + " weekly season needs at least two weeks.")
        String history,
    @Default("\"1m\"")
        @Size(min = 2, max = 7)
        @ValidationRule(
            value = "self.matches('^[1-9][0-9]{0,5}[smh]$')",
            messageExpression =
                "'step is \\'' + self + '\\'; write a whole number and one unit of s, m, h, such as"
                    + " 1m'")
        @ValidationRule(
            value = "!self.matches('^[1-9][0-9]{0,5}[smh]$') || duration(self) <= duration('1h')",
            messageExpression = "'step is ' + self + ', longer than an hour; write 1h or less'")
        @JsonPropertyDescription(
            "Time between two observations, two points of the forecast and two decisions: from 1s"
                + " to 1h.")
        String step,
    @Default("[\"Auto\"]")
        @Size(min = 1, max = 3)
        @ValidationRule(
            value = "self.size() == 1 || !self.exists(m, m == 'Auto')",
            message =
                "models combines Auto, which means all models, with others; write Auto alone, or"
                    + " leave it out")
        @ValidationRule(
            value = "self.all(m, self.exists_one(n, n == m))",
            message = "models lists a model twice; list each once")
        @JsonPropertyDescription(
            "Models to combine, weighted by their recent accuracy. Auto: all models. Boosting:"
                + " quantile boosting on lags and the calendar. SeasonalNaive: the day before,"
                + " shifted by the deviation of today. RecentPeak: the highest demand of the last"
                + " ten minutes, which is also used until another model can forecast.")
        List<ForecastModel> models,
    @Size(max = 100)
        @JsonPropertyDescription(
            "Times known in advance to differ from the usual pattern, such as a launch or a sale.")
        List<EventSpec> events,
    @Size(max = 100)
        @JsonPropertyDescription("Periods excluded from learning, such as an incident.")
        List<ExcludedWindowSpec> excludedWindows,
    @Size(max = 100)
        @JsonPropertyDescription(
            "Days on which demand is as on a Sunday, past and coming ones: national holidays,"
                + " company holidays.")
        List<HolidaySpec> holidays,
    @Default("\"UTC\"")
        @Size(min = 1, max = 64)
        @ValidationRule(
            value = "self.matches('^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$')",
            messageExpression =
                "'timeZone is \\'' + self + '\\'; write a name of the IANA time zone database, such"
                    + " as Europe/Berlin or UTC'")
        @JsonPropertyDescription("IANA name of the time zone of the daily and weekly patterns.")
        String timeZone) {

  public ForecastSpec {
    history = history == null ? "14d" : history;
    step = step == null ? "1m" : step;
    models = models == null ? List.of(ForecastModel.Auto) : List.copyOf(models);
    events = events == null ? List.of() : List.copyOf(events);
    excludedWindows = excludedWindows == null ? List.of() : List.copyOf(excludedWindows);
    holidays = holidays == null ? List.of() : List.copyOf(holidays);
    timeZone = timeZone == null ? "UTC" : timeZone;
  }

  /** Two weeks in steps of a minute, in UTC. */
  public static ForecastSpec defaults() {
    return new ForecastSpec(
        "14d", "1m", List.of(ForecastModel.Auto), List.of(), List.of(), List.of(), "UTC");
  }

  /** The duration of {@code history}. */
  public Duration historyLength() {
    return SpecDuration.parse(history);
  }

  /** The duration of {@code step}. */
  public Duration stepLength() {
    return SpecDuration.parse(step);
  }

  /**
   * The time zone.
   *
   * @throws java.time.DateTimeException if the name is unknown; the message says so
   */
  public ZoneId zone() {
    return ZoneId.of(timeZone);
  }
}
