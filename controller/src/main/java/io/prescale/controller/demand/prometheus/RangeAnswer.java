package io.prescale.controller.demand.prometheus;

import io.prescale.forecasting.Sample;
import java.util.List;

/**
 * The response of a server to one range query.
 *
 * @param series the labels of every series in the response
 * @param samples of the first series, without points that have no value
 * @param latest the last value of every series that has one
 * @param warnings the server's warnings, such as a part of a cluster that did not respond
 */
public record RangeAnswer(
    List<Labels> series, List<Sample> samples, List<Latest> latest, List<String> warnings) {
  /** The last value of a series. */
  public record Latest(Labels labels, double value) {}

  public RangeAnswer {
    latest = List.copyOf(latest);
    series = List.copyOf(series);
    samples = List.copyOf(samples);
    warnings = List.copyOf(warnings);
  }
}
