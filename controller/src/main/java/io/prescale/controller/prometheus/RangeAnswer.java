package io.prescale.controller.prometheus;

import io.prescale.forecasting.Sample;
import java.util.List;

/**
 * What a server answered to one range query.
 *
 * @param series the labels of every series in the answer
 * @param samples of the first series; a point at which it had no value is absent
 * @param warnings the server's, such as that a part of a cluster did not answer
 */
public record RangeAnswer(List<Labels> series, List<Sample> samples, List<String> warnings) {
  public RangeAnswer {
    series = List.copyOf(series);
    samples = List.copyOf(samples);
    warnings = List.copyOf(warnings);
  }
}
