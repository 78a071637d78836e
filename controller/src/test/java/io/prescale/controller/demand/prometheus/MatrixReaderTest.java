package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.prescale.controller.UsedHeap;
import io.prescale.forecasting.Sample;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatrixReaderTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final RangeQuery QUERY =
      new RangeQuery("load", START, START.plusSeconds(300), Duration.ofMinutes(1));
  private static final long MAY_STAY = 8L << 20;
  private static final String UNUSUAL =
      """
      {"stats":{"a":[1,{"b":null}]},"isPartial":false,
       "data":{"result":[
         {"values":[[1767225600.123,"1"],[1767225660,"2e3"]],"more":[[]],
          "metric":{"b":"2","a":"1","__name__":"up"}},
         {"metric":{"a":"2"},"values":[[1767225600,"9"]]}],
         "resultType":"matrix"},
       "warnings":["a store did not answer\\u001b[0m"],"infos":["a hint"],"status":"success"}
      """;

  @Test
  void readsFieldsInAnyOrderAndPassesOverUnknownOnes() throws IOException {
    var answer = read(UNUSUAL);

    assertThat(answer.samples())
        .containsExactly(
            new Sample(START.plusMillis(123), 1), new Sample(START.plusSeconds(60), 2000));
    assertThat(answer.series().toString()).isEqualTo("[up{a=\"1\", b=\"2\"}, {a=\"2\"}]");
    assertThat(answer.warnings()).containsExactly("a store did not answer?[0m", "a hint");
  }

  @Test
  void readsValuesThatAreNoNumbers() throws IOException {
    var values =
        "[[1767225600,\"NaN\"],[1767225660,\"+Inf\"],[1767225720,\"-Inf\"],"
            + "[1767225780,\"1e-320\"],[1767225840,5]]";

    assertThat(read(result("{\"metric\":{},\"values\":" + values + "}")).samples())
        .extracting(Sample::value)
        .containsExactly(
            Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-320, 5.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          []                                                                   | lacks { at line 1, character 2
          {}                                                                   | has no status success
          {"status":"success"}                                                 | has a result that is no matrix, but of type ""
          {"status":"error","error":"query timed out"}                         | is an error: query timed out
          {"status":"success","data":[]}                                       | lacks { at line 1, character 29
          {"status":{},"data":{}}                                              | lacks text at line 1, character 12
          {"status":"success","data":{"resultType":"scalar","result":[1,"2"]}} | has a result that is no matrix, but of type "scalar"
          """)
  void refusesAnAnswerThatIsNoMatrix(String body, String problem) {
    assertThatThrownBy(() -> read(body)).isInstanceOf(NotAMatrix.class).hasMessage(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      textBlock =
          """
          {"metric":{},"values":[[1767225600,"x"]]}      | has a value that is not a number: "x"
          {"metric":{},"values":[[1767225600]]}          | lacks a value at line 1, character 96
          {"metric":{},"values":["1"]}                   | lacks [ at line 1, character 85
          {"metric":{},"values":[["1","2"]]}             | lacks a timestamp at line 1, character 86
          {"metric":{},"values":[[1767225600,"2",3]]}    | lacks ] at line 1, character 101
          {"metric":{},"histograms":[[1,{"count":"3"}]]} | contains native histograms; convert them to numbers, for example with histogram_count()
          """)
  void refusesASeriesThatIsNotOneOfNumbers(String series, String problem) {
    assertThatThrownBy(() -> read(result(series)))
        .isInstanceOf(NotAMatrix.class)
        .hasMessage(problem);
  }

  @Test
  void acceptsAStepBeforeAndAfterTheRange() throws IOException {
    var values =
        IntStream.rangeClosed(-1, 6)
            .mapToObj(i -> "[%d,\"1\"]".formatted(START.plusSeconds(60L * i).getEpochSecond()))
            .collect(Collectors.joining(","));

    assertThat(read(result("{\"metric\":{},\"values\":[" + values + "]}")).samples()).hasSize(8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "values":[[1767225600,"1"]%s]  | ,[1767225600,"1"] | 8   | has more samples than the 6 asked for
          "values":[[1767225600,"1"]]%s  | ,"values":[[1767225600,"1"]] | 8 | has more samples than the 6 asked for
          "values":[[1767225479,"1"]]%s  |                   | 0   | has a sample at another time than from 2026-01-01T00:00:00Z to 2026-01-01T00:05:00Z
          "values":[[1767225961,"1"]]%s  |                   | 0   | has a sample at another time
          "values":[[9e15,"1"]]%s        |                   | 0   | has a sample at another time
          "values":[]}%s                 | ,{"metric":{}}    | 3   | has more than 3 series; sum() reduces them to one
          "metric":{"a":"1"%s}           | ,"b%d":""         | 128 | has a series with more than 128 labels
          "metric":{"a":"1"%s}           | ,"%d":"%16000d"   | 2   | has a series with more than 128 labels, or 16384 characters
          """)
  void refusesBeforeItIsReadWhatTheQueryCannotHave(
      String series, @Nullable String again, int times, String problem) {
    var more = new StringBuilder();
    for (int i = 0; i < times; i++) {
      more.append(again == null ? "" : again.formatted(i, i));
    }
    assertThatThrownBy(() -> read(result("{" + series.formatted(more) + "}")))
        .isInstanceOf(NotAMatrix.class)
        .hasMessageStartingWith(problem);
  }

  @Test
  void keepsOfPodsTheirNamesAlone() throws IOException {
    var pods =
        "{\"metric\":{\"job\":\"a\",\"pod\":\"chat-1\"},\"values\":[[1767225600,\"1\"]]},"
            + "{\"metric\":{\"pod\":\"%s\"},\"values\":[]}".formatted("x".repeat(254));

    assertThat(read(result(pods), AnswerLimits.ofPods()).series())
        .containsExactly(new Labels(Map.of("pod", "chat-1")), new Labels(Map.of()));
  }

  @Test
  void keepsFewOfManyWarnings() throws IOException {
    var body = "{\"warnings\":[" + "\"w\",".repeat(1000) + "\"w\"]," + UNUSUAL.strip().substring(1);

    assertThat(read(body).warnings()).hasSize(10);
  }

  @Test
  void refusesAnInstantVector() {
    var vector = result("{\"metric\":{},\"value\":[1,\"2\"]}").replace("matrix", "vector");

    assertThatThrownBy(() -> read(vector))
        .hasMessage("has a result that is no matrix, but of type \"vector\"");
  }

  @Test
  void failsInNoOtherWayWhateverArrivesAndKeepsNothing() {
    var random = new SplittableRandom(42);
    int samples = 0;
    int refusals = 0;
    long before = 0;
    for (int i = 0; i < 20_000; i++) {
      before = i == 1_000 ? UsedHeap.now() : before; // classes and caches
      var bytes = UNUSUAL.getBytes(UTF_8);
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(128);
      }
      int kept =
          random.nextBoolean() ? bytes.length : random.nextInt(bytes.length / 2, bytes.length);
      var cut = Arrays.copyOf(bytes, kept);
      try {
        var answer = read(new String(cut, UTF_8));
        assertThat(answer.samples()).hasSizeLessThanOrEqualTo(3);
        samples += answer.samples().size();
      } catch (IOException e) {
        assertThat(e.getMessage()).isNotEmpty();
        refusals++;
      } catch (RuntimeException e) {
        fail(new String(cut, UTF_8), e);
      }
    }
    assertThat(samples).isGreaterThan(1_000);
    assertThat(refusals).isGreaterThan(1_000);
    assertThat(UsedHeap.now() - before).as("bytes that are kept").isLessThan(MAY_STAY);
  }

  private static String result(String series) {
    return ScriptedServer.matrix(series);
  }

  private static RangeAnswer read(String body) throws IOException {
    return read(body, new AnswerLimits(4L << 20, 3, Optional.empty()));
  }

  private static RangeAnswer read(String body, AnswerLimits limits) throws IOException {
    return MatrixReader.read(new ByteArrayInputStream(body.getBytes(UTF_8)), QUERY, limits);
  }
}
