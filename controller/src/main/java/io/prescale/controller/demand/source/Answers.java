package io.prescale.controller.demand.source;

import io.prescale.controller.autoscaling.Reading;
import io.prescale.controller.autoscaling.Reading.Missing;
import io.prescale.controller.autoscaling.Reading.Observed;
import io.prescale.controller.autoscaling.Reading.Reason;
import io.prescale.controller.demand.prometheus.Labels;
import io.prescale.controller.demand.prometheus.PrometheusException;
import io.prescale.controller.demand.prometheus.RangeAnswer;
import io.prescale.controller.input.Excerpt;
import java.util.Collection;
import java.util.Objects;

/** Judges answers: one that is not numbers of one series is missing, with reason and remedy. */
final class Answers {

  private Answers() {}

  static Reading reading(MetricQuery query, RangeAnswer answer) {
    var promql = query.promql();
    if (answer.series().size() > 1) {
      return manySeries(query, answer.series());
    }
    if (answer.samples().isEmpty()) {
      return noData(query);
    }
    if (answer.samples().stream().noneMatch(sample -> Double.isFinite(sample.value()))) {
      return new Missing(
          Reason.NOT_A_NUMBER,
          "The query %s gives %s, which is no demand; look for a division by zero."
              .formatted(Excerpt.quoted(promql), answer.samples().getLast().value()));
    }
    return new Observed(answer.samples());
  }

  static Missing noData(MetricQuery query) {
    return new Missing(
        Reason.NO_DATA,
        "The query %s finds nothing; look at it in Prometheus' own graph, and whether its targets are up.%s"
            .formatted(
                Excerpt.quoted(query.promql()),
                query.server().enforcedNamespace().map(Answers::onlyFound).orElse("")));
  }

  private static String onlyFound(String namespace) {
    return " An administrator lets it find only series with the label namespace=\"%s\"."
        .formatted(namespace);
  }

  /** Names the series only if an administrator named the server. */
  static Missing manySeries(MetricQuery query, Collection<Labels> series) {
    return new Missing(
        Reason.MANY_SERIES,
        "The query finds %d series, and one is needed%s. Add them up with %s, or select one of them."
            .formatted(
                series.size(),
                query.server().isNamedByUser() ? "" : ": " + Labels.some(series),
                Excerpt.quoted("sum(" + query.promql().strip() + ")")));
  }

  static Missing failure(PrometheusException e) {
    var reason =
        switch (e.problem()) {
          case UNREACHABLE -> Reason.UNREACHABLE;
          case TIMEOUT -> Reason.TIMEOUT;
          case ACCESS_DENIED -> Reason.ACCESS_DENIED;
          case SERVER_ERROR -> Reason.SERVER_ERROR;
          case QUERY_REFUSED -> Reason.QUERY_REFUSED;
          case TOO_LARGE -> Reason.TOO_LARGE;
          case UNUSABLE_ANSWER -> Reason.UNUSABLE_ANSWER;
          case NO_DATA -> Reason.NO_DATA;
          case MANY_SERIES -> Reason.MANY_SERIES;
        };
    return new Missing(reason, Objects.requireNonNull(e.getMessage()));
  }

  /** Whether the server is at fault, so that its other queries would fail as well. */
  static boolean isOfTheServer(Reason reason) {
    return switch (reason) {
      case UNREACHABLE, SERVER_ERROR, TIMEOUT, ACCESS_DENIED -> true;
      case NO_DATA,
          MANY_SERIES,
          NOT_A_NUMBER,
          UNUSABLE_ANSWER,
          QUERY_REFUSED,
          TOO_LARGE,
          BACKING_OFF,
          STALE,
          SERIES_LOST ->
          false;
    };
  }
}
