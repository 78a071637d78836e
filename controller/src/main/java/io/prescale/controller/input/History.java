package io.prescale.controller.input;

import io.prescale.forecasting.Sample;
import java.util.List;

/**
 * The observations of one load, as they were delivered.
 *
 * @param name what to call the load in front of people, such as the name of a file
 * @param source where it came from, such as a path, or the address of a server
 * @param samples in the order of arrival; values may be NaN or infinite
 * @param notes sentences that the user should see, such as warnings of the server
 */
public record History(String name, String source, List<Sample> samples, List<String> notes) {
  public History {
    samples = List.copyOf(samples);
    notes = List.copyOf(notes);
  }
}
