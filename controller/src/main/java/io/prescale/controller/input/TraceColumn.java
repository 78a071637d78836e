package io.prescale.controller.input;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A column of a trace, read in every form that its fields so far have: the day may be before the
 * month or after it, and a comma may be a decimal one or not, until a field settles it.
 */
final class TraceColumn {
  private final String name;
  private final String remedy;
  private final List<Reading> readings = new ArrayList<>();
  private @Nullable InputException ambiguous;

  /** A way to read a field. */
  @FunctionalInterface
  interface Reader {
    double read(String field) throws Unreadable;
  }

  /**
   * A form that fields may have.
   *
   * @param name what such a field has, after "with"
   */
  record Form(String name, Reader reader) {}

  /** A field cannot be read. The message says what is wrong and what to do. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    private final String problem;

    Unreadable(String problem) {
      super(problem);
      this.problem = problem;
    }

    String problem() {
      return problem;
    }
  }

  /** The fields in one form. */
  private static final class Reading {
    private final Form form;
    private final DoubleStream.Builder values = DoubleStream.builder();
    private double last;

    Reading(Form form) {
      this.form = form;
    }

    void add(String field) throws Unreadable {
      last = form.reader().read(field);
      values.add(last);
    }
  }

  /**
   * @param remedy what to do when no field settles the form
   */
  TraceColumn(String name, List<Form> forms, String remedy) {
    this.name = name;
    this.remedy = remedy;
    forms.forEach(form -> readings.add(new Reading(form)));
  }

  /** Adds a field of the current row; refuses it when it has none of the forms that are left. */
  void add(String field, CsvTable table) throws InputException {
    Unreadable refusal = null;
    for (var reading : List.copyOf(readings)) {
      try {
        reading.add(field.strip());
      } catch (Unreadable e) {
        refusal = refusal == null ? e : refusal;
        readings.remove(reading);
      }
    }
    if (readings.isEmpty()) {
      throw table.problem(name, requireNonNull(refusal).problem());
    }
    if (ambiguous == null && differ()) {
      ambiguous =
          table.problem(
              name,
              "%s may be read with %s or with %s, and no row of the file settles it; %s"
                  .formatted(
                      Excerpt.quoted(field),
                      readings.getFirst().form.name(),
                      readings.getLast().form.name(),
                      remedy));
    }
  }

  private boolean differ() {
    return Double.compare(readings.getFirst().last, readings.getLast().last) != 0;
  }

  /** The values of all rows; called once. */
  double[] values() throws InputException {
    if (ambiguous != null && readings.size() > 1) {
      throw ambiguous;
    }
    return readings.getFirst().values.build().toArray();
  }
}
