package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.input.CsvFile;
import io.prescale.controller.input.History;
import io.prescale.controller.input.InputException;
import io.prescale.forecasting.Sample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFileTest {
  private static final String SERIES =
      "[{\"metric\":{\"app\":\"chat\"},\"values\":[[1767225600,\"1.5\"],[1767225660,\"NaN\"]]}]";

  private static final String ANSWER =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":" + SERIES + "}}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        SERIES,
        ANSWER,
        "\uFEFF\n  " + ANSWER,
        "time,value\n1767225600,1.5\n1767225660,\n"
      })
  void readsAnswersOfPrometheusAndPromtoolAndCsvAlsoCompressed(String text) throws Exception {
    var first = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(read(text.getBytes(UTF_8)).samples())
        .containsExactly(new Sample(first, 1.5), new Sample(first.plusSeconds(60), Double.NaN))
        .isEqualTo(read(gzip(text)).samples());
  }

  @Test
  void tellsTheServersWarnings() throws Exception {
    var warned = ANSWER.replace("\"data\"", "\"warnings\":[\"a store is down\"],\"data\"");

    assertThat(read(warned.getBytes(UTF_8)).notes())
        .containsExactly("The server warned: a store is down");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          []                                             | saved: is an answer without samples; check the query and its time range.
          [{"values":[[1,"2"]]},{"metric":{"app":"b"}}]  | saved: has 2 series instead of one: {}, {app="b"}; sum them in the query.
          {"status":"error","error":"bad query"}         | saved: is an answer that is an error: bad query.
          [{"values":[[1767225600000,"2"]]}]             | saved: is an answer that has a sample at another time than from 1970-01-01T00:00:00Z to 2100-01-01T00:00:00Z.
          {app="chat"} => 12 @[1767225600]               | saved: begins like JSON but is none from line 1 on; save the whole answer of Prometheus, or what promtool prints with --format=json.
          {"status":"succ                                | saved: ends in the middle of its JSON; save the whole answer of Prometheus.
          {"status":"success","data":{"result":[         | saved: ends in the middle of its JSON; save the whole answer of Prometheus.
          """)
  void refusesOtherJson(String text, String message) {
    assertThatThrownBy(() -> read(text.getBytes(UTF_8)))
        .isInstanceOf(InputException.class)
        .hasMessage(message);
  }

  private static History read(byte[] bytes) throws Exception {
    return new TraceFile(new CsvFile("saved", () -> new ByteArrayInputStream(bytes)), UTC).read();
  }

  private static byte[] gzip(String text) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }
}
