package io.prescale.controller.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebApiTest {
  private static final String OWN = "127.0.0.1:8088";

  private final TestingViews views = new TestingViews();
  private final WebApi api = new WebApi(webViews(Optional.of(views)), Gatekeeper.open());

  private WebViews webViews(Optional<GpusView> gpus) {
    return new WebViews(
        () -> new About("test", false, Instant.EPOCH, 1, Optional.empty()),
        views,
        gpus,
        views,
        views);
  }

  /** Knows one workload and notes what it is asked for. */
  private static final class TestingViews
      implements WorkloadsView, GpusView, ReplaysView, ActionsView {
    static final int UNREACHABLE = 999;
    private GpusView.Query asked = new GpusView.Query(GpusView.Show.ALL, 0, 1);
    private String performed = "";

    @Override
    public List<WorkloadSummary> workloads() {
      return List.of();
    }

    @Override
    public Optional<WorkloadSeries> series(
        String workload, Optional<String> metric, Duration last) {
      return workload.equals("known") && !metric.equals(Optional.of("other"))
          ? Optional.of(
              new WorkloadSeries(
                  workload,
                  metric.orElse("requests"),
                  Instant.EPOCH,
                  60,
                  300,
                  1,
                  List.of(0L),
                  List.of(Double.NaN),
                  List.of(1.23456789),
                  List.of((double) last.toMinutes()),
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of()))
          : Optional.empty();
    }

    @Override
    public Optional<Why> why(String workload, Instant at) {
      return Optional.empty();
    }

    @Override
    public GpuPage gpus(Query query) throws IOException {
      asked = query;
      if (query.offset() == UNREACHABLE) {
        throw new IOException("The extender does not answer.");
      }
      return new GpuPage(
          new GpuPage.Totals(0, 0, 0, 0, 0, 0, 0, 0), 0, query.offset(), List.of(), List.of());
    }

    @Override
    public Started start(String workload) {
      return new Started.Refused("one at a time");
    }

    @Override
    public Optional<Job> newest(String workload) {
      return Optional.empty();
    }

    @Override
    public Optional<String> report(String workload) {
      return workload.equals("known") ? Optional.of("<p>report") : Optional.empty();
    }

    @Override
    public List<Action> actions() {
      return List.of();
    }

    @Override
    public List<Event> events() {
      return List.of();
    }

    @Override
    public Outcome perform(String action, String workload) {
      performed = action + " " + workload;
      return new Outcome.Done("done");
    }
  }

  private WebResponse get(String path, String... query) {
    return api.handle(request("GET", path, Map.of("host", OWN), "", query));
  }

  private static WebRequest request(
      String method, String path, Map<String, String> headers, String body, String... query) {
    var parameters = new HashMap<String, String>();
    for (int i = 0; i < query.length; i += 2) {
      parameters.put(query[i], query[i + 1]);
    }
    return new WebRequest(method, path, parameters, headers, body);
  }

  @Test
  void everyAnswerForbidsWhatComesFromElsewhere() {
    for (String path : List.of("/", "/page.css", "/api/v1/overview", "/nothing")) {
      assertThat(get(path).headers().get("Content-Security-Policy"))
          .as(path)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(get(path).headers()).containsEntry("X-Content-Type-Options", "nosniff");
    }
  }

  @Test
  void thePageNamesNoOtherHostAndHasNoScriptOrStyleWithin() {
    for (String path : List.of("/", "/page.css", "/script/main.js", "/icon.svg")) {
      assertThat(get(path).status()).as(path).isEqualTo(200);
      assertThat(get(path).body().replace("http://www.w3.org/2000/svg", ""))
          .as(path)
          .doesNotContain("http:", "https:", " style=", "<style", "onclick=\"");
    }
  }

  @Test
  void unknownIsNullAndFourDigitsAreEnough() {
    assertThat(get("/api/v1/workloads/known/series", "minutes", "30").body())
        .contains("\"demand\":[null],\"p50\":[1.2346],\"p90\":[30]")
        .contains("\"now\":\"1970-01-01T00:00:00Z\"");
    assertThat(get("/api/v1/workloads/known/why", "at", "0").body()).isEqualTo("null");
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/workloads/other/series, 404, There is no workload other.",
    "/api/v1/workloads/known/replay/report/more, 404, There is nothing at",
    "/api/v1/workloads/other/replay/report, 404, No report yet.",
    "/api/v1/workloads, 404, There is nothing at",
    "/api/v1/actions/spike, 405, Only POST is answered here.",
    "/../secret, 404, There is nothing at",
    "/script/../page.css, 404, There is nothing at",
  })
  void refusesInASentence(String path, int status, String sentence) {
    assertThat(get(path).status()).isEqualTo(status);
    assertThat(get(path).body()).startsWith("{\"error\":\"" + sentence);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1441", "1e3", "NaN", "99999999999999999999", "<b>"})
  void refusesMinutesThatAreNone(String minutes) {
    assertThat(get("/api/v1/workloads/known/series", "minutes", minutes).body())
        .isEqualTo("{\"error\":\"minutes must be a whole number from 0 to 1440.\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "now", "1e99", "9223372036854775807", "NaN"})
  void refusesAMomentThatIsNone(String at) {
    assertThat(get("/api/v1/workloads/known/why", "at", at).body())
        .isEqualTo("{\"error\":\"at must be a time in seconds since 1970.\"}");
  }

  @Test
  void readsTheFilterOfNodes() {
    assertThat(get("/api/v1/gpus", "show", "sick", "offset", "48", "limit", "24").status())
        .isEqualTo(200);
    assertThat(views.asked).isEqualTo(new GpusView.Query(GpusView.Show.SICK, 48, 24));
    assertThat(get("/api/v1/gpus", "show", "none").body())
        .isEqualTo("{\"error\":\"show must be all, busy, fragmented or sick.\"}");
    assertThat(get("/api/v1/gpus", "limit", "101").status()).isEqualTo(400);
  }

  @Test
  void tellsWhyTheCardsAreNotKnownNow() {
    var answer = get("/api/v1/gpus", "offset", "" + TestingViews.UNREACHABLE);

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.body()).isEqualTo("{\"error\":\"The extender does not answer.\"}");
  }

  @Test
  void showsTheMetricThatIsAskedFor() {
    assertThat(get("/api/v1/workloads/known/series").body()).contains("\"metric\":\"requests\"");
    assertThat(get("/api/v1/workloads/known/series", "metric", "tokens").body())
        .contains("\"metric\":\"tokens\"");
    assertThat(get("/api/v1/workloads/known/series", "metric", "other").body())
        .isEqualTo("{\"error\":\"There is no workload known with a metric other.\"}");
  }

  @Test
  void answersNobodyWhoCallsItByAnotherName() {
    var answer = api.handle(request("GET", "/api/v1/overview", Map.of("host", "evil.example"), ""));

    assertThat(answer.status()).isEqualTo(421);
    assertThat(answer.body()).contains("open it as http://localhost");
    assertThat(api.handle(request("GET", "/", Map.of(), "")).status()).isEqualTo(421);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, 200",
    "LOCALHOST:9999, 200",
    "[::1]:8088, 200",
    "127.0.0.1:, 421",
    "localhost.evil.example:8088, 421",
    "evil.example#localhost:8088, 421",
    "127.0.0.2:8088, 421",
  })
  void answersOnTheLoopbackWhateverPortLeadsThere(String host, int status) {
    assertThat(api.handle(request("GET", "/", Map.of("host", host), "")).status())
        .isEqualTo(status);
  }

  @Test
  void givesItsJsonToNobodyWhomTheGatekeeperDoesNotAdmit() {
    for (String path :
        List.of(
            "/api/v1/overview",
            "/api/v1/gpus",
            "/api/v1/workloads/known/series",
            "/api/v1/workloads/known/replay/report",
            "/api/v1/nothing")) {
      assertThat(guarded("", path).status()).as(path).isEqualTo(401);
      assertThat(guarded("Bearer no", path).status()).as(path).isEqualTo(403);
      assertThat(guarded("Bearer later", path).status()).as(path).isEqualTo(503);
    }
    assertThat(guarded("", "/api/v1/overview").body()).isEqualTo("{\"error\":\"Who are you?\"}");
    assertThat(guarded("Bearer yes", "/api/v1/overview").status()).isEqualTo(200);
    assertThat(guarded("", "/").status()).isEqualTo(200);
    assertThat(guarded("", "/script/main.js").status()).isEqualTo(200);
  }

  private WebResponse guarded(String authorization, String path) {
    var guarded =
        new WebApi(
            webViews(Optional.empty()),
            sent ->
                switch (sent) {
                  case "Bearer yes" -> new Gatekeeper.Verdict.Admitted();
                  case "Bearer no" -> new Gatekeeper.Verdict.Forbidden("You may not.");
                  case "Bearer later" -> new Gatekeeper.Verdict.Undecided("Ask later.");
                  default -> new Gatekeeper.Verdict.Unknown("Who are you?");
                });
    return guarded.handle(
        request("GET", path, Map.of("host", OWN, "authorization", authorization), ""));
  }

  @Test
  void nullIsWhatIsKnownOfCardsWhereNobodyKnows() {
    var answer = guarded("Bearer yes", "/api/v1/gpus");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("null");
  }

  @Test
  void aNameMayHoldASlashWhenItIsEncoded() {
    assertThat(get("/api/v1/workloads/team%2Fchat/series").body())
        .isEqualTo("{\"error\":\"There is no workload team/chat.\"}");
    assertThat(get("/api/v1/workloads/a%ZZ+b/series").body())
        .isEqualTo("{\"error\":\"There is no workload a%ZZ+b.\"}");
    assertThat(get("/api/v1/workloads/%6Bnown/series").status()).isEqualTo(200);
  }

  @Test
  void changesSomethingOnlyForItsOwnPage() {
    var headers = new HashMap<>(Map.of("host", OWN, "content-type", "application/json"));

    assertThat(post(headers).status()).isEqualTo(200);
    assertThat(views.performed).isEqualTo("spike known");
    headers.put("origin", "http://" + OWN);
    assertThat(post(headers).status()).isEqualTo(200);
    headers.put("origin", "null");
    assertThat(post(headers).status()).isEqualTo(403);
    headers.remove("origin");
    headers.put("content-type", "application/x-www-form-urlencoded");
    assertThat(post(headers).status()).isEqualTo(415);
  }

  private WebResponse post(Map<String, String> headers) {
    return api.handle(
        request("POST", "/api/v1/actions/spike", headers, "{\"workload\":\"known\"}"));
  }

  @Test
  void aReportKeepsItsOwnPolicyForWhatIsWithin() {
    var report = get("/api/v1/workloads/known/replay/report");

    assertThat(report.body()).isEqualTo("<p>report");
    assertThat(report.headers().get("Content-Security-Policy"))
        .isEqualTo("frame-ancestors 'none'; connect-src 'none'");
  }
}
