package io.prescale.controller.demand.prometheus;

import io.prescale.forecasting.Sample;
import java.util.List;

/**
 * What a server answered to one range query.
 *
 * @param series the labels of every series in the answer
 * @param samples of the first series; a point at which it had no value is absent
 * @param latest the last value of every series that has one
 * @param warnings the server's, such as that a part of a cluster did not answer
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
