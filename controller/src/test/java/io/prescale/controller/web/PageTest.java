package io.prescale.controller.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.adapter.server.Listener;
import io.prescale.adapter.server.ListeningContext;
import io.prescale.controller.web.RawPage.Reply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as a browser gets it, over HTTP. */
class PageTest {
  private static final String OWN = "127.0.0.1:8088";

  private final TestingViews views = new TestingViews();
  private final List<ListeningContext> contexts = new ArrayList<>();
  private Optional<PlanView> plan = Optional.empty();
  private RawPage page = serve(webViews(Optional.of(views)), Gatekeeper.open());

  @ParameterizedTest
  @ValueSource(strings = {"/", "/page.css", "/script/main.js", "/api/v1/overview", "/nothing"})
  void theOtherListenerHasNothingOfThePage(String path) {
    var metrics = new RawPage(contexts.getFirst().port("metrics"));

    assertThat(metrics.send("GET", path, Map.of("host", OWN), "").status()).isEqualTo(404);
    assertThat(metrics.send("GET", "/health/liveness", Map.of("host", OWN), "").status())
        .isEqualTo(200);
    assertThat(get("/health/liveness").status()).isEqualTo(404);
  }

  private RawPage serve(WebViews views, Gatekeeper gatekeeper) {
    try {
      var context =
          ListeningContext.start(
              "test",
              List.of(
                  Listener.plain(PageController.LISTENER, "127.0.0.1", 0),
                  Listener.plain("metrics", "127.0.0.1", 0)),
              PageFiles.properties(),
              views,
              gatekeeper);
      contexts.add(context);
      return new RawPage(context.port(PageController.LISTENER));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterEach
  void stop() {
    contexts.forEach(ListeningContext::close);
  }

  private WebViews webViews(Optional<GpusView> gpus) {
    return new WebViews(
        () -> new About("test", false, Instant.EPOCH, 1, OptionalDouble.empty(), Optional.empty()),
        views,
        gpus,
        plan,
        views,
        TomorrowView.none("no history"),
        views);
  }

  private Reply get(String path, String... query) {
    var target = new StringBuilder(path);
    for (int i = 0; i < query.length; i += 2) {
      target.append(i == 0 ? '?' : '&').append(query[i]).append('=');
      target.append(URLEncoder.encode(query[i + 1], StandardCharsets.UTF_8));
    }
    return page.send("GET", target.toString(), Map.of("host", OWN), "");
  }

  @Test
  void everyAnswerForbidsWhatComesFromElsewhere() {
    for (String path : List.of("/", "/page.css", "/api/v1/overview", "/nothing")) {
      assertThat(get(path).headers().get("content-security-policy"))
          .as(path)
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(get(path).headers()).containsEntry("x-content-type-options", "nosniff");
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
    "/api/v1/workloads/known/replay/report/more, 404, Page Not Found",
    "/api/v1/workloads/other/replay/report, 404, No report yet.",
    "/api/v1/workloads, 404, Page Not Found",
    "/api/v1/actions/spike, 405, Method [GET] not allowed",
    "/../secret, 404, Page Not Found",
    "/script/../page.css, 404, Page Not Found",
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
  void aPlanIsNullWhereNoneIsMadeAndARefusalWhereItCannotBeRead() {
    assertThat(get("/api/v1/plan").body()).isEqualTo("null");

    plan =
        Optional.of(
            () -> {
              throw new IOException("no");
            });
    page = serve(webViews(Optional.of(views)), Gatekeeper.open());
    assertThat(get("/api/v1/plan").body()).isEqualTo("{\"error\":\"no\"}");
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
    var answer = page.send("GET", "/api/v1/overview", Map.of("host", "evil.example"), "");

    assertThat(answer.status()).isEqualTo(421);
    assertThat(answer.body()).contains("open it as http://localhost");
    assertThat(page.send("GET", "/", Map.of(), "").status()).isEqualTo(421);
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
    assertThat(page.send("GET", "/", Map.of("host", host), "").status()).isEqualTo(status);
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

  private Reply guarded(String authorization, String path) {
    if (contexts.size() == 1) {
      page =
          serve(
              webViews(Optional.empty()),
              sent ->
                  switch (sent) {
                    case "Bearer yes" -> new Gatekeeper.Verdict.Admitted();
                    case "Bearer no" -> new Gatekeeper.Verdict.Forbidden("You may not.");
                    case "Bearer later" -> new Gatekeeper.Verdict.Undecided("Ask later.");
                    default -> new Gatekeeper.Verdict.Unknown("Who are you?");
                  });
    }
    return page.send("GET", path, Map.of("host", OWN, "authorization", authorization), "");
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
    assertThat(get("/api/v1/workloads/a%2Bb/series").body())
        .isEqualTo("{\"error\":\"There is no workload a+b.\"}");
    assertThat(get("/api/v1/workloads/a%ZZ/series").status()).isBetween(400, 421);
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

  private Reply post(Map<String, String> headers) {
    return page.send("POST", "/api/v1/actions/spike", headers, "{\"workload\":\"known\"}");
  }

  @Test
  void aReportKeepsItsOwnPolicyForWhatIsWithin() {
    var report = get("/api/v1/workloads/known/replay/report");

    assertThat(report.body()).isEqualTo("<p>report");
    assertThat(report.headers().get("content-security-policy"))
        .isEqualTo("frame-ancestors 'none'; connect-src 'none'");
  }
}
