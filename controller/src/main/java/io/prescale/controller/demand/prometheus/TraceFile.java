package io.prescale.controller.demand.prometheus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.CsvTrace;
import io.prescale.controller.input.History;
import io.prescale.controller.input.HistorySource;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A trace in a file: CSV, or the answer to a range query as Prometheus' HTTP API gives it or as
 * {@code promtool query range --format=json} prints its result.
 */
public final class TraceFile implements HistorySource {
  private static final AnswerLimits LIMITS =
      new AnswerLimits(Long.MAX_VALUE, 1000, Optional.empty());

  /** What was asked is not in the file; ten million samples are the most, as in CSV. */
  private static final RangeQuery ANY =
      new RangeQuery(
          "any", Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"), Duration.ofSeconds(411));

  private final CsvFile file;
  private final ZoneId zone;

  /**
   * Creates a trace without reading it.
   *
   * @param zone of times without an offset
   */
  public TraceFile(CsvFile file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  @Override
  public History read() throws InputException, InterruptedException {
    return file.readBytes(
        bytes ->
            isJson(bytes)
                ? saved(bytes)
                : new CsvTrace(new CsvFile(file.name(), () -> bytes), zone).read());
  }

  private static boolean isJson(InputStream bytes) throws IOException {
    bytes.mark(1024);
    int first = bytes.read();
    for (int i = 0; i < 1000 && Character.isWhitespace(first); i++) {
      first = bytes.read();
    }
    bytes.reset();
    return first == '{' || first == '[';
  }

  private History saved(InputStream bytes) throws IOException, InputException {
    var answer = answer(bytes);
    if (answer.series().size() > 1) {
      throw unusable(
          "has %d series instead of one: %s; sum them in the query"
              .formatted(answer.series().size(), Labels.some(answer.series())));
    }
    if (answer.samples().isEmpty()) {
      throw unusable("is an answer without samples; check the query and its time range");
    }
    return new History(
        file.shortName(),
        file.name(),
        answer.samples(),
        answer.warnings().stream().map(warning -> "The server warned: " + warning).toList());
  }

  private RangeAnswer answer(InputStream bytes) throws IOException, InputException {
    try {
      return MatrixReader.readSaved(bytes, ANY, LIMITS);
    } catch (NotAMatrix e) {
      throw unusable(
          "is an answer that %s%s%s"
              .formatted(
                  e.problem(),
                  e.quotation(),
                  e.problem().equals(MatrixReader.NO_MATRIX)
                      ? "; save that of a range query (query_range)"
                      : ""));
    } catch (JsonEOFException e) {
      throw unusable("ends in the middle of its JSON; save the whole answer of Prometheus");
    } catch (JsonProcessingException e) {
      throw unusable(
          "begins like JSON but is none from line %d on; save the whole answer of Prometheus, or what promtool prints with --format=json"
              .formatted(e.getLocation() == null ? 1 : e.getLocation().getLineNr()));
    }
  }

  private InputException unusable(String problem) {
    return new InputException(Fault.UNUSABLE, "%s: %s.".formatted(file.name(), problem));
  }
}
