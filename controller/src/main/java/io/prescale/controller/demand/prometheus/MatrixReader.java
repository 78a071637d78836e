package io.prescale.controller.demand.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.prescale.controller.demand.prometheus.RangeAnswer.Latest;
import io.prescale.controller.input.Excerpt;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/**
 * Parses the response to a range query as a stream. Keeps all samples of the first series, and the
 * last sample of each other series. Refuses, before it is read, what such a query cannot have:
 * samples at other times, or more than one a step, hundreds of labels of a series, endless texts.
 */
final class MatrixReader implements AutoCloseable {
  /** The problem of an answer to another question than that for a range. */
  static final String NO_MATRIX = "has a result that is no matrix";

  private static final int MOST_LABELS = 128;
  private static final int MOST_LABEL_CHARACTERS = 16_384;
  private static final int MOST_WARNINGS = 10;

  /** Names of labels are not remembered from one response to the next. */
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(MOST_LABEL_CHARACTERS)
                  .maxNameLength(MOST_LABEL_CHARACTERS)
                  .maxNestingDepth(100)
                  .build())
          .build();

  private final RangeQuery query;
  private final AnswerLimits limits;
  private final JsonParser json;
  private final List<Labels> series = new ArrayList<>();
  private final List<Sample> samples = new ArrayList<>();
  private final List<Latest> latest = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private String status = "";
  private String resultType = "";
  private String error = "";
  private boolean histograms;
  private long samplesOfSeries;

  private MatrixReader(InputStream body, RangeQuery query, AnswerLimits limits) throws IOException {
    this.json = JSON.createParser(body);
    this.query = query;
    this.limits = limits;
  }

  static RangeAnswer read(InputStream body, RangeQuery query, AnswerLimits limits)
      throws IOException {
    try (var reader = new MatrixReader(body, query, limits)) {
      reader.json.nextToken();
      reader.readAnswer();
      return reader.answer();
    }
  }

  /** Reads an answer, or, as promtool prints it, only the result in one. */
  static RangeAnswer readSaved(InputStream text, RangeQuery query, AnswerLimits limits)
      throws IOException {
    try (var reader = new MatrixReader(text, query, limits)) {
      if (reader.json.nextToken() == JsonToken.START_ARRAY) {
        reader.status = "success";
        reader.resultType = "matrix";
        reader.readResult();
      } else {
        reader.readAnswer();
      }
      return reader.answer();
    }
  }

  @Override
  public void close() throws IOException {
    json.close();
  }

  private void readAnswer() throws IOException {
    expect(json.currentToken(), JsonToken.START_OBJECT);
    for (var field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      json.nextToken();
      switch (field) {
        case "status" -> status = text();
        case "error" -> error = text();
        case "data" -> readData();
        case "warnings", "infos" -> readWarnings();
        default -> json.skipChildren();
      }
    }
  }

  private RangeAnswer answer() throws NotAMatrix {
    if (!status.equals("success")) {
      throw error.isEmpty()
          ? new NotAMatrix("has no status success")
          : new NotAMatrix("is an error", ": " + Excerpt.of(error, 500));
    }
    if (!resultType.equals("matrix")) {
      throw new NotAMatrix(NO_MATRIX, ", but of type " + Excerpt.quoted(resultType));
    }
    if (histograms) {
      throw new NotAMatrix(
          "contains native histograms; convert them to numbers, for example with"
              + " histogram_count()");
    }
    return new RangeAnswer(series, samples, latest, warnings);
  }

  private void readData() throws IOException {
    expect(json.currentToken(), JsonToken.START_OBJECT);
    for (var field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      var value = json.nextToken();
      if (field.equals("resultType")) {
        resultType = text();
      } else if (field.equals("result") && value == JsonToken.START_ARRAY) {
        readResult();
      } else {
        json.skipChildren();
      }
    }
  }

  private void readResult() throws IOException {
    while (json.nextToken() == JsonToken.START_OBJECT) {
      readSeries();
    }
    // A vector has objects too, a scalar has numbers: answer() rejects them by the result type.
    while (json.currentToken() != JsonToken.END_ARRAY) {
      json.skipChildren();
      json.nextToken();
    }
  }

  private void readSeries() throws IOException {
    if (series.size() == limits.series()) {
      throw new NotAMatrix(
          Problem.MANY_SERIES,
          "has more than %d series; sum() reduces them to one".formatted(limits.series()),
          "");
    }
    samplesOfSeries = 0;
    var labels = new Labels(new HashMap<>());
    var last = Optional.<Sample>empty();
    for (var field = json.nextFieldName(); field != null; field = json.nextFieldName()) {
      var value = json.nextToken();
      if (field.equals("metric")) {
        labels = readLabels();
      } else if (field.equals("values") && value == JsonToken.START_ARRAY) {
        last = readSamples();
      } else {
        histograms |= field.equals("histograms");
        json.skipChildren();
      }
    }
    series.add(labels);
    var known = labels;
    last.ifPresent(sample -> latest.add(new Latest(known, sample.value())));
  }

  private Labels readLabels() throws IOException {
    expect(json.currentToken(), JsonToken.START_OBJECT);
    var labels = new HashMap<String, String>();
    int count = 0;
    int characters = 0;
    for (var name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
      json.nextToken();
      var value = text();
      if (limits.keeps(name, value)) {
        labels.put(name, value);
      }
      characters += name.length() + value.length();
      if (++count > MOST_LABELS || characters > MOST_LABEL_CHARACTERS) {
        throw new NotAMatrix(
            "has a series with more than %d labels, or %d characters in them"
                .formatted(MOST_LABELS, MOST_LABEL_CHARACTERS));
      }
    }
    return new Labels(labels);
  }

  private Optional<Sample> readSamples() throws IOException {
    var last = Optional.<Sample>empty();
    while (json.nextToken() != JsonToken.END_ARRAY) {
      expect(json.currentToken(), JsonToken.START_ARRAY);
      expect(json.nextToken().isNumeric(), "a timestamp");
      var time = Instant.ofEpochMilli(Math.round(json.getDoubleValue() * 1000));
      requireAsked(time);
      expect(json.nextToken().isScalarValue(), "a value");
      var sample = new Sample(time, number(json.getText()));
      expect(json.nextToken(), JsonToken.END_ARRAY);
      last = Optional.of(sample);
      if (series.isEmpty()) { // of the first, all are kept
        samples.add(sample);
      }
    }
    return last;
  }

  /** Some servers move the range's ends to multiples of the step. */
  private void requireAsked(Instant time) throws NotAMatrix {
    if (++samplesOfSeries > query.points() + 2) {
      throw new NotAMatrix("has more samples than the %d asked for".formatted(query.points()));
    }
    if (time.isBefore(query.from().minus(query.step()))
        || time.isAfter(query.to().plus(query.step()))) {
      throw new NotAMatrix(
          "has a sample at another time than from %s to %s".formatted(query.from(), query.to()));
    }
  }

  private static double number(String text) throws NotAMatrix {
    try {
      return switch (text) {
        case "NaN" -> Double.NaN;
        case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
        case "-Inf" -> Double.NEGATIVE_INFINITY;
        default -> Double.parseDouble(text);
      };
    } catch (NumberFormatException _) {
      throw new NotAMatrix("has a value that is not a number", ": " + Excerpt.quoted(text));
    }
  }

  private void readWarnings() throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == JsonToken.VALUE_STRING && warnings.size() < MOST_WARNINGS) {
        warnings.add(Excerpt.of(json.getText(), 300));
      }
      json.skipChildren();
    }
  }

  private String text() throws IOException {
    expect(json.currentToken().isScalarValue(), "text");
    return json.getText();
  }

  private void expect(JsonToken found, JsonToken wanted) throws NotAMatrix {
    expect(found == wanted, wanted.asString());
  }

  private void expect(boolean met, String wanted) throws NotAMatrix {
    if (!met) {
      var where = json.currentLocation();
      throw new NotAMatrix(
          "lacks %s at line %d, character %d"
              .formatted(wanted, where.getLineNr(), where.getColumnNr()));
    }
  }
}
