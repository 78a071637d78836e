package io.prescale.controller.demand.prometheus;

import io.prescale.controller.input.Excerpt;
import io.prescale.controller.input.History;
import io.prescale.controller.input.HistorySource;
import io.prescale.forecasting.Sample;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;

/** The history of the one series that a query returns, read in as many requests as needed. */
public final class PrometheusHistory implements HistorySource {
  /** Prometheus rejects queries for more points per response (web/api/v1/api.go). */
  public static final int MOST_POINTS = 11_000;

  private final PrometheusServer server;
  private final Patience patience;
  private final RangeQuery query;
  private final int maxPoints;
  private final Progress progress;

  /** Called after each request. */
  @FunctionalInterface
  public interface Progress {
    void answered(int requests, int ofRequests);
  }

  public PrometheusHistory(
      PrometheusServer server,
      Patience patience,
      RangeQuery query,
      int maxPoints,
      Progress progress) {
    if (maxPoints < 1) {
      throw new IllegalArgumentException("maxPoints must be positive: " + maxPoints);
    }
    this.server = server;
    this.patience = patience;
    this.query = query;
    this.maxPoints = maxPoints;
    this.progress = progress;
  }

  @Override
  public History read() throws PrometheusException, InterruptedException {
    var parts = query.split(maxPoints);
    var series = new LinkedHashSet<Labels>();
    var warnings = new LinkedHashSet<String>();
    var samples = new ArrayList<Sample>();
    try (var client = new PrometheusClient(server, patience)) {
      for (int i = 0; i < parts.size(); i++) {
        var answer = client.range(parts.get(i));
        series.addAll(answer.series());
        requireOneAtMost(series);
        samples.addAll(answer.samples());
        warnings.addAll(answer.warnings());
        progress.answered(i + 1, parts.size());
      }
    }
    if (samples.isEmpty()) {
      throw new PrometheusException(
          Problem.NO_DATA,
          "The query %s finds no series between %s and %s; check the query in Prometheus' own graph, and the time range."
              .formatted(Excerpt.quoted(query.promql()), query.from(), query.to()));
    }
    return new History(
        Excerpt.of(query.promql(), 80),
        server.url().toString(),
        samples,
        warnings.stream().map(warning -> "The server warns: " + warning).toList());
  }

  private void requireOneAtMost(Collection<Labels> series) throws PrometheusException {
    if (series.size() > 1) {
      throw new PrometheusException(
          Problem.MANY_SERIES,
          "The query finds %d series instead of one: %s. Sum them with %s, or select one of them."
              .formatted(
                  series.size(),
                  Labels.some(series),
                  Excerpt.quoted("sum(" + query.promql().strip() + ")")));
    }
  }
}
