package io.prescale.controller.autoscaling;

import io.prescale.forecasting.CountInWords;
import io.prescale.forecasting.DurationInWords;
import io.prescale.forecasting.online.ForecastParts;
import io.prescale.forecasting.online.LaterPeaks;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Puts an {@link Explanation} into sentences, in the order in which the decision was made. */
final class DecisionInWords {
  private final Explanation it;

  DecisionInWords(Explanation explanation) {
    this.it = explanation;
  }

  List<String> sentences() {
    var sentences = new ArrayList<String>();
    sentences.add("In the step before, %s was %s.".formatted(it.metric(), number(it.observed())));
    it.forecast().ifPresent(forecast -> sentences.addAll(forecast(forecast)));
    sentences.add(lead());
    it.activity().ifPresent(activity -> sentences.add(activity(activity)));
    sentences.add(choice());
    sentences.add(it.hpa().message());
    it.missedBudget().ifPresent(missed -> sentences.add(missed.sentence()));
    return List.copyOf(sentences);
  }

  private List<String> forecast(ForecastSummary forecast) {
    return List.of(
        "In the %s that begin %s later it is expected to reach %s (half the time), %s (9 times in 10) or %s (19 times in 20)."
            .formatted(
                DurationInWords.of(forecast.window()),
                DurationInWords.of(inSeconds(forecast.lead())),
                number(forecast.p50()),
                number(forecast.p90()),
                number(forecast.p95())),
        parts(forecast.parts()));
  }

  private static String parts(ForecastParts parts) {
    return "That is a level of %s, season %s, correction %s, events %s; calibration moves the 95 %% quantile by %s.%s%s"
        .formatted(
            number(parts.level()),
            signed(parts.season()),
            signed(parts.correction()),
            signed(parts.event()),
            signed(parts.calibration()),
            borrowed(parts.relatives()),
            followed(parts.leading()));
  }

  private static String borrowed(int relatives) {
    return relatives == 0
        ? ""
        : " A part is borrowed from " + CountInWords.of(relatives, "other service") + ".";
  }

  private static String followed(List<ForecastParts.Leading> series) {
    return series.isEmpty()
        ? ""
        : " A part follows %s."
            .formatted(
                series.stream()
                    .map(it -> it.series() + " " + DurationInWords.of(it.lag()) + " later")
                    .collect(Collectors.joining(" and ")));
  }

  private String lead() {
    LeadTime lead = it.lead();
    String source =
        switch (lead.source()) {
          case MEASURED -> "measured on " + CountInWords.of(lead.samples(), "scale-up");
          case DEFAULT -> "the default until a scale-up is seen";
          case DECLARED -> "as declared";
        };
    return "The lead time is %s, %s%s."
        .formatted(DurationInWords.of(inSeconds(lead.total())), source, fitted());
  }

  /** Models are fitted anew when the lead time has grown by more than a little. */
  private String fitted() {
    return it.forecast()
        .map(forecast -> inSeconds(forecast.lead()))
        .filter(fitted -> fitted.compareTo(inSeconds(it.lead().total())) < 0)
        .map(DurationInWords::of)
        .map("; the models are fitted for %s"::formatted)
        .orElse("");
  }

  private static Duration inSeconds(Duration duration) {
    return duration.truncatedTo(ChronoUnit.SECONDS);
  }

  private static String activity(Activity activity) {
    var probability = percent(activity.probability());
    return switch (activity.cause()) {
      case OBSERVED_DEMAND -> "A replica is needed, as there is demand.";
      case UNKNOWN -> "A replica is kept, as it is unknown whether demand will come.";
      case DECLARED_EVENT -> "A replica is needed, as a declared event takes place or is near.";
      case FORECAST ->
          "A replica is needed, as demand is forecast; one lead time ahead its probability is %s."
              .formatted(probability);
      case IDLE ->
          "Demand needs no replica: there is none, and one lead time ahead its probability is %s."
              .formatted(probability);
    };
  }

  private String choice() {
    String why =
        switch (it.reason()) {
          case FORECAST -> medianAndRisk();
          case NEVER_BELOW_OBSERVED ->
              "the newest observation, which is above the forecast's value";
          case KEPT -> kept();
          case STARTED_AHEAD ->
              "what was started for demand that was forecast earlier, and is still to come";
          case NO_FORECAST -> newest() + ", as there is no forecast";
          case NOT_TRUSTED -> newest() + ", as forecasts are not trusted";
          case DAY_BEFORE ->
              "the highest demand a day before that time, as forecasts are not trusted and the day"
                  + " before has been a better guide than the newest observation";
          case HANDED_OVER ->
              "what the leader before served and planned, until this one knows as much";
          case IDLE -> "nothing is needed";
          case SCHEDULED_FLOOR -> "the minimum of " + schedule();
          case SCHEDULED_CEILING -> "the maximum of " + schedule();
          case NOTHING_KNOWN -> "nothing is known";
        };
    return "The served value is %s (%s): %s of %s each."
        .formatted(
            number(it.served()),
            why,
            CountInWords.of(it.desiredReplicas(), "replica"),
            number(it.capacityPerReplica()));
  }

  private String kept() {
    return "replicas that are likely enough to be needed again%s are kept, because stopping and restarting them would cost more"
        .formatted(
            it.forecast()
                .map(ForecastSummary::window)
                .map(window -> it.lead().total().plus(LaterPeaks.within(window)))
                .map(until -> " within " + DurationInWords.of(until))
                .orElse(""));
  }

  private String newest() {
    if (it.served() == it.observed()) {
      return "the newest observation";
    }
    return it.served() == it.capacityPerReplica()
        ? "one replica's worth"
        : "the newest observation with headroom";
  }

  private String schedule() {
    return it.schedule().map(name -> "schedule " + name).orElse("a schedule");
  }

  /**
   * The median is rounded to whole replicas first, so that the risk is said to cost only its own.
   */
  private String medianAndRisk() {
    int median =
        it.forecast()
            .map(forecast -> HpaRules.replicasFor(forecast.p50(), it.capacityPerReplica()))
            .orElse(0);
    int forMedian = Math.max(1, median);
    int more = HpaRules.replicasFor(it.served(), it.capacityPerReplica()) - forMedian;
    return "%d for the median, %s for the accepted risk, which leaves a probability of shortage of %s"
        .formatted(
            forMedian,
            more == 0 ? "none" : "%d %s".formatted(Math.abs(more), more > 0 ? "more" : "fewer"),
            percent(it.shortageProbability()));
  }

  private static String percent(OptionalDouble share) {
    return share.isEmpty()
        ? "an unknown risk"
        : "%s %%".formatted(number(100 * share.getAsDouble()));
  }

  private static String signed(double value) {
    return (value < 0 ? "−" : "+") + number(Math.abs(value));
  }

  /** Three digits are enough to follow a decision; whole numbers keep all of theirs. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "unknown";
    }
    double magnitude = Math.abs(value);
    if (magnitude >= 100 || value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, magnitude >= 10 ? "%.1f" : "%.2f", value);
  }
}
