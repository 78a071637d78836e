package io.prescale.controller.input;

import io.prescale.forecasting.Sample;
import java.util.List;

/**
 * The observations of one load in the order of their arrival.
 *
 * @param name display name of the load, such as the name of a file
 * @param source where it came from, such as a path or the URL of a server
 * @param samples in the order of arrival; values may be NaN or infinite
 * @param notes sentences for the user, such as warnings of the server
 */
public record History(String name, String source, List<Sample> samples, List<String> notes) {
  public History {
    samples = List.copyOf(samples);
    notes = List.copyOf(notes);
  }
}
