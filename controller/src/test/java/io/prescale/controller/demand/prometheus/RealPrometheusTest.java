package io.prescale.controller.demand.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.prescale.controller.input.History;
import io.prescale.controller.input.InputException.Fault;
import io.prescale.forecasting.Sample;
import io.prescale.forecasting.TimeSeries;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Against a real server with 16 days of minutes: 23,040 points, of which it gives 11,000 at once.
 */
class RealPrometheusTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final int MINUTES = 16 * 24 * 60;
  private static final int GAP_FROM = 5_000;
  private static final int GAP_TO = 5_060;
  private static final int MOVED_AT = 12_000;

  /** For so long after a sample Prometheus takes it as current. */
  private static final int LOOKBACK_MINUTES = 5;

  @TempDir private static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static RealPrometheus prometheus;

  @BeforeAll
  static void start() throws Exception {
    prometheus = RealPrometheus.start(folder, history());
  }

  @AfterAll
  static void stop() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void readsMoreThanOneAnswerHolds() throws Exception {
    var requests = new ArrayList<String>();
    var samples =
        source("load{service=\"chat\"}", 0, MINUTES - 1, (n, of) -> requests.add(n + " of " + of))
            .read()
            .samples();

    assertThat(requests).containsExactly("1 of 3", "2 of 3", "3 of 3");
    assertThat(samples).hasSize(MINUTES - (GAP_TO - GAP_FROM - LOOKBACK_MINUTES));
    assertThat(samples)
        .contains(new Sample(START, chat(0)))
        .contains(new Sample(at(10_999), chat(10_999)))
        .contains(new Sample(at(11_000), chat(11_000)))
        .endsWith(new Sample(at(MINUTES - 1), chat(MINUTES - 1)));
  }

  @Test
  void splittingChangesNothing() throws Exception {
    var whole = source("load{service=\"chat\"}", 100, 400, PrometheusHistory.MOST_POINTS).read();
    var split = source("load{service=\"chat\"}", 100, 400, 7).read();

    assertThat(split.samples()).isEqualTo(whole.samples()).hasSize(301);
  }

  @Test
  void acceptsAsManyPointsAsTheServerGives() throws Exception {
    assertThat(source("vector(1)", 0, PrometheusHistory.MOST_POINTS - 1, 11_000).read().samples())
        .hasSize(11_000);
  }

  @Test
  void passesOnWhatTheServerSaysAboutTooManyPoints() {
    assertThatRefused(
        "vector(1)",
        "rejects the query: exceeded maximum resolution of 11,000 points per timeseries."
            + " Try decreasing the query resolution (?step=XX).",
        20_000);
  }

  @Test
  void leavesAGapMissing() throws Exception {
    var samples = read("load{service=\"chat\"}", GAP_FROM - 2, GAP_TO + 1).samples();
    var series = TimeSeries.fromSamples(samples).series();

    assertThat(series.size()).isEqualTo(64);
    assertThat(series.presentCount()).isEqualTo(4 + LOOKBACK_MINUTES);
    assertThat(series.isMissing(2 + LOOKBACK_MINUTES)).isTrue();
    assertThat(series.isMissing(61)).isTrue();
    assertThat(series.value(62)).isEqualTo(chat(GAP_TO));
  }

  @Test
  void readsValuesThatAreNoNumbers() throws Exception {
    assertThat(read("odd", 0, 3).samples().stream().map(Sample::value))
        .containsExactly(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1.5e300);
  }

  @Test
  void readsScalars() throws Exception {
    assertThat(read("42", 0, 1).samples()).containsExactly(sample(0, 42), sample(1, 42));
  }

  @Test
  void refusesSeveralSeriesAndProposesTheirSum() {
    assertThatRefused(
        "load",
        "The query finds 2 series instead of one: load{service=\"chat\"}, load{service=\"code\"}."
            + " Sum them with \"sum(load)\", or select one of them.");
  }

  @Test
  void refusesASeriesThatChangesItsLabelsOnTheWay() {
    var source = source("moved", 0, MINUTES - 1, PrometheusHistory.MOST_POINTS);

    assertThat(catchThrowableOfType(PrometheusException.class, source::read))
        .hasMessageContaining("2 series")
        .hasMessageContaining("moved{pod=\"a\"}, moved{pod=\"b\"}");
  }

  @Test
  void readsTheSumThatItProposes() throws Exception {
    assertThat(read("sum(load)", 7, 7).samples()).containsExactly(sample(7, chat(7) + 3));
  }

  @Test
  void saysWhatIsWrongWithTheQuery() {
    assertThatRefused(
        "sum(load", "rejects the query: 1:9: parse error: unclosed left parenthesis.");
    assertThatRefused(
        "load[5m]",
        "rejects the query: invalid expression type \"range vector\" for range query, must"
            + " be Scalar or instant Vector.");
  }

  @Test
  void saysThatTheQueryFindsNothing() {
    assertThatRefused(
        "absent_metric",
        "The query \"absent_metric\" finds no series between 2026-01-01T00:00:00Z and"
            + " 2026-01-01T00:10:00Z; check the query in Prometheus' own graph, and the time"
            + " range.");
  }

  @Test
  void sendsAQueryThatIsTooLongForAUrl() throws Exception {
    var services = "no|".repeat(5_000) + "chat";

    assertThat(read("load{service=~\"" + services + "\"}", 3, 3).samples())
        .containsExactly(sample(3, chat(3)));
  }

  @Test
  void sendsEveryCharacterAsItIs() throws Exception {
    assertThat(read("label_replace(vector(1), \"a\", \"+&=% ü\", \"\", \"\") # x", 0, 0).samples())
        .containsExactly(sample(0, 1));
  }

  @Test
  void asksInFractionsOfASecond() throws Exception {
    var query =
        new RangeQuery(
            "time()", START.plusMillis(250), START.plusMillis(750), Duration.ofMillis(250));

    try (var client =
        new PrometheusClient(PrometheusServer.at(prometheus.url()), Patience.defaults())) {
      assertThat(client.range(query).samples())
          .extracting(Sample::time)
          .containsExactly(START.plusMillis(250), START.plusMillis(500), START.plusMillis(750));
    }
  }

  @Test
  void saysThatThePathIsWrong() {
    var wrong = prometheus.url().resolve("/prometheus");
    var source = source(PrometheusServer.at(wrong), query("load", 0, 1), 100);
    var refusal = catchThrowableOfType(PrometheusException.class, source::read);

    assertThat(refusal)
        .hasMessage(
            wrong + " has no Prometheus API; is a part of the path missing, such as /prometheus?");
    assertThat(refusal.fault()).isEqualTo(Fault.UNREACHABLE);
  }

  @Test
  void saysThatTheServerDoesNotSpeakTls() {
    var secure = URI.create(prometheus.url().toString().replace("http:", "https:"));
    var source = source(PrometheusServer.at(secure), query("load", 0, 1), 100);

    assertThat(catchThrowableOfType(PrometheusException.class, source::read))
        .hasMessage(secure + " does not speak TLS; write http:// instead of https://.");
  }

  private static void assertThatRefused(String promql, String message) {
    assertThatRefused(promql, message, 11);
  }

  private static void assertThatRefused(String promql, String message, int points) {
    var source = source(promql, 0, points - 1, Integer.MAX_VALUE);
    var refusal = catchThrowableOfType(PrometheusException.class, source::read);

    assertThat(refusal).hasMessageEndingWith(message);
    assertThat(refusal.fault()).isEqualTo(Fault.UNUSABLE);
  }

  private static History read(String promql, int fromMinute, int toMinute) throws Exception {
    return source(promql, fromMinute, toMinute, PrometheusHistory.MOST_POINTS).read();
  }

  private static PrometheusHistory source(
      String promql, int fromMinute, int toMinute, int maxPoints) {
    return source(
        PrometheusServer.at(prometheus.url()), query(promql, fromMinute, toMinute), maxPoints);
  }

  private static PrometheusHistory source(
      String promql, int fromMinute, int toMinute, PrometheusHistory.Progress progress) {
    return new PrometheusHistory(
        PrometheusServer.at(prometheus.url()),
        Patience.defaults(),
        query(promql, fromMinute, toMinute),
        PrometheusHistory.MOST_POINTS,
        progress);
  }

  private static PrometheusHistory source(
      PrometheusServer server, RangeQuery query, int maxPoints) {
    return new PrometheusHistory(server, Patience.defaults(), query, maxPoints, (n, of) -> {});
  }

  private static RangeQuery query(String promql, int fromMinute, int toMinute) {
    return new RangeQuery(promql, at(fromMinute), at(toMinute), MINUTE);
  }

  private static Instant at(int minute) {
    return START.plus(MINUTE.multipliedBy(minute));
  }

  private static Sample sample(int minute, double value) {
    return new Sample(at(minute), value);
  }

  private static double chat(int minute) {
    return 100 + minute % 1440 / 8.0;
  }

  private static Stream<String> history() {
    var chat =
        IntStream.range(0, MINUTES)
            .filter(minute -> minute < GAP_FROM || minute >= GAP_TO)
            .mapToObj(minute -> line("load{service=\"chat\"}", chat(minute), minute));
    var code = IntStream.range(0, 20).mapToObj(minute -> line("load{service=\"code\"}", 3, minute));
    var moved = Stream.of(line("moved{pod=\"a\"}", 1, 10), line("moved{pod=\"b\"}", 1, MOVED_AT));
    var odd =
        List.of(
            "odd NaN " + at(0).getEpochSecond(),
            "odd +Inf " + at(1).getEpochSecond(),
            "odd -Inf " + at(2).getEpochSecond(),
            "odd 1.5e300 " + at(3).getEpochSecond());
    var types = Stream.of("# TYPE load gauge");
    return Stream.of(
            types,
            chat,
            code,
            Stream.of("# TYPE moved gauge"),
            moved,
            Stream.of("# TYPE odd gauge"),
            odd.stream())
        .flatMap(lines -> lines);
  }

  private static String line(String series, double value, int minute) {
    return String.format(Locale.ROOT, "%s %s %d", series, value, at(minute).getEpochSecond());
  }
}
