package io.prescale.controller.web;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The page and its JSON as a function from requests to answers. Refusals are JSON with a sentence.
 * Its files are for everybody, its JSON for whom the gatekeeper admits, and only a page of this
 * very server may change anything. Thread-safe.
 */
final class WebApi {
  private static final String JSON = "application/json; charset=utf-8";
  private static final String API = "/api/v1/";
  private static final int USUAL_MINUTES = 6 * 60;
  private static final int MOST_MINUTES = 24 * 60;

  /** Nothing from elsewhere, no script or style within the page, no frame around it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** A report has a policy of its own for what is within it. */
  private static final String REPORT_POLICY = "frame-ancestors 'none'; connect-src 'none'";

  private static final ObjectMapper BODIES = new ObjectMapper();

  /** No other name can be made to lead here; the port may be another machine's, forwarded. */
  private static final Pattern OWN_HOST =
      Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d{1,5})?", CASE_INSENSITIVE);

  private final WebViews views;
  private final Gatekeeper gatekeeper;
  private final StaticFiles files = new StaticFiles();

  WebApi(WebViews views, Gatekeeper gatekeeper) {
    this.views = views;
    this.gatekeeper = gatekeeper;
  }

  /** Everything that the page shows all the time. */
  record Overview(
      About about,
      List<WorkloadSummary> workloads,
      List<ActionsView.Action> actions,
      List<ActionsView.Event> events) {}

  /** A refusal. */
  record Problem(String error) {}

  /** What was done. */
  record Done(String done) {}

  WebResponse handle(WebRequest request) {
    WebResponse response;
    try {
      requireOwnHost(request);
      response = answer(request);
    } catch (Refusal e) {
      response =
          WebResponse.of(e.status(), JSON, Json.of(new Problem(String.valueOf(e.getMessage()))));
    }
    var policed =
        response.headers().containsKey("Content-Security-Policy")
            ? response
            : response.with("Content-Security-Policy", POLICY);
    return policed
        .with("X-Content-Type-Options", "nosniff")
        .with("Referrer-Policy", "no-referrer")
        .with("Cross-Origin-Resource-Policy", "same-origin")
        .with("Cache-Control", "no-store");
  }

  private static void requireOwnHost(WebRequest request) throws Refusal {
    if (!OWN_HOST.matcher(request.header("host")).matches()) {
      throw new Refusal(421, "This server is not called so; open it as http://localhost.");
    }
  }

  private void requireAdmission(WebRequest request) throws Refusal {
    switch (gatekeeper.judge(request.header("authorization"))) {
      case Gatekeeper.Verdict.Admitted() -> {}
      case Gatekeeper.Verdict.Unknown(var sentence) -> throw new Refusal(401, sentence);
      case Gatekeeper.Verdict.Forbidden(var sentence) -> throw new Refusal(403, sentence);
      case Gatekeeper.Verdict.Undecided(var sentence) -> throw new Refusal(503, sentence);
    }
  }

  private WebResponse answer(WebRequest request) throws Refusal {
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    if (!request.path().startsWith(API)) {
      requireMethod(reads, "GET");
      return files.find(request.path()).orElseThrow(() -> nothingAt(request));
    }
    requireAdmission(request);
    var parts = request.parts(API.length());
    if (parts.getFirst().equals("workloads") && parts.size() > 2) {
      return workload(request, reads, parts.get(1), parts.subList(2, parts.size()));
    }
    if (parts.getFirst().equals("actions") && parts.size() == 2) {
      return perform(request, parts.get(1));
    }
    return switch (String.join("/", parts)) {
      case "overview" -> read(reads, overview());
      case "gpus" -> read(reads, gpus(request));
      default -> throw nothingAt(request);
    };
  }

  private static Refusal nothingAt(WebRequest request) {
    return new Refusal(404, "There is nothing at %s.".formatted(request.path()));
  }

  private static void requireMethod(boolean isMet, String method) throws Refusal {
    if (!isMet) {
      throw new Refusal(405, "Only %s is answered here.".formatted(method));
    }
  }

  private static WebResponse read(boolean reads, Object value) throws Refusal {
    requireMethod(reads, "GET");
    return WebResponse.of(200, JSON, Json.of(value));
  }

  private Overview overview() {
    return new Overview(
        views.about().get(),
        views.workloads().workloads(),
        views.actions().actions(),
        views.actions().events());
  }

  /** Null where nobody knows of cards. */
  private Optional<GpuPage> gpus(WebRequest request) throws Refusal {
    var query = valid(() -> GpusView.Query.of(request.query()));
    if (views.gpus().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(views.gpus().get().gpus(query));
    } catch (IOException e) {
      throw new Refusal(502, String.valueOf(e.getMessage()));
    }
  }

  private WebResponse workload(WebRequest request, boolean reads, String id, List<String> what)
      throws Refusal {
    return switch (String.join("/", what)) {
      case "series" -> read(reads, series(request, id));
      case "why" -> read(reads, views.workloads().why(id, at(request)));
      case "replay" ->
          request.method().equals("POST") ? startReplay(request, id) : replay(reads, id);
      case "replay/report" -> report(reads, id);
      default -> throw nothingAt(request);
    };
  }

  private WorkloadSeries series(WebRequest request, String id) throws Refusal {
    int minutes =
        valid(() -> WholeNumbers.of(request.query(), "minutes", USUAL_MINUTES, MOST_MINUTES));
    var metric = Optional.ofNullable(request.query().get("metric"));
    return views
        .workloads()
        .series(id, metric, Duration.ofMinutes(minutes))
        .orElseThrow(
            () ->
                new Refusal(
                    404,
                    "There is no workload %s%s."
                        .formatted(id, metric.map(it -> " with a metric " + it).orElse(""))));
  }

  private WebResponse startReplay(WebRequest request, String id) throws Refusal {
    requireOwnPage(request);
    return switch (views.replays().start(id)) {
      case ReplaysView.Started.Running(var job) -> WebResponse.of(202, JSON, Json.of(job));
      case ReplaysView.Started.Refused(var reason) -> throw new Refusal(409, reason);
    };
  }

  private WebResponse replay(boolean reads, String id) throws Refusal {
    return read(reads, views.replays().newest(id));
  }

  private WebResponse report(boolean reads, String id) throws Refusal {
    requireMethod(reads, "GET");
    String page = views.replays().report(id).orElseThrow(() -> new Refusal(404, "No report yet."));
    return WebResponse.of(200, "text/html; charset=utf-8", page)
        .with("Content-Security-Policy", REPORT_POLICY);
  }

  private WebResponse perform(WebRequest request, String action) throws Refusal {
    requireMethod(request.method().equals("POST"), "POST");
    requireOwnPage(request);
    return switch (views.actions().perform(action, workloadIn(request.body()))) {
      case ActionsView.Outcome.Done(var text) -> WebResponse.of(200, JSON, Json.of(new Done(text)));
      case ActionsView.Outcome.Refused(var text) -> throw new Refusal(409, text);
    };
  }

  /** A page of another origin cannot send JSON here, nor hide where it is from. */
  private void requireOwnPage(WebRequest request) throws Refusal {
    if (!request.header("content-type").startsWith("application/json")) {
      throw new Refusal(415, "What changes something is sent as application/json.");
    }
    var origin = request.header("origin");
    if (!origin.isEmpty() && !origin.equals("http://" + request.header("host"))) {
      throw new Refusal(403, "Only a page of this server may change anything.");
    }
  }

  private static String workloadIn(String body) throws Refusal {
    try {
      JsonNode json = BODIES.readTree(body);
      return json == null ? "" : json.path("workload").asText("");
    } catch (JsonProcessingException _) {
      throw new Refusal(400, "The body is not JSON; send {\"workload\": \"NAME\"}.");
    }
  }

  private static <T> T valid(Supplier<T> reading) throws Refusal {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, String.valueOf(e.getMessage()));
    }
  }

  private static Instant at(WebRequest request) throws Refusal {
    try {
      return Instant.ofEpochSecond(Long.parseLong(request.query().getOrDefault("at", "")));
    } catch (NumberFormatException | DateTimeException _) {
      throw new Refusal(400, "at must be a time in seconds since 1970.");
    }
  }
}
