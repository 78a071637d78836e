package io.prescale.controller.web;

import com.fasterxml.jackson.databind.node.NullNode;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prescale.adapter.server.OnListener;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The page's JSON. What is unknown is null; a refusal is an object with an {@code error}. */
@OnListener(PageController.LISTENER)
@Controller("/api/v1")
@Requires(bean = WebViews.class)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class PageController {
  /** The listener of the page and its JSON. */
  public static final String LISTENER = "page";

  private static final int USUAL_MINUTES = 6 * 60;
  private static final int MOST_MINUTES = 24 * 60;

  /** A report has a policy of its own for what is within it. */
  private static final String REPORT_POLICY = "frame-ancestors 'none'; connect-src 'none'";

  private final WebViews views;

  PageController(WebViews views) {
    this.views = views;
  }

  /** Everything that the page shows all the time. */
  record Overview(
      About about,
      List<WorkloadSummary> workloads,
      List<ActionsView.Action> actions,
      List<ActionsView.Event> events) {}

  /** What was done. */
  record Done(String done) {}

  /** The workload that an action is for; null for an action without one. */
  record Subject(@Nullable String workload) {}

  @Get("/overview")
  Overview overview() {
    return new Overview(
        views.about().get(),
        views.workloads().workloads(),
        views.actions().actions(),
        views.actions().events());
  }

  /** Null where cards are unknown. */
  @Get("/gpus")
  HttpResponse<?> gpus(HttpRequest<?> request) throws Refusal {
    var query = valid(() -> GpusView.Query.of(parameters(request)));
    if (views.gpus().isEmpty()) {
      return orNull(Optional.empty());
    }
    try {
      return HttpResponse.ok(views.gpus().get().gpus(query));
    } catch (IOException e) {
      throw new Refusal(502, String.valueOf(e.getMessage()));
    }
  }

  /** Null where none is made. */
  @Get("/plan")
  HttpResponse<?> plan() throws Refusal {
    if (views.plan().isEmpty()) {
      return orNull(Optional.empty());
    }
    try {
      return HttpResponse.ok(views.plan().get().plan());
    } catch (IOException e) {
      throw new Refusal(502, String.valueOf(e.getMessage()));
    }
  }

  @Get("/workloads/{id:[^/]+}/series")
  WorkloadSeries series(String id, HttpRequest<?> request) throws Refusal {
    var query = parameters(request);
    int minutes = valid(() -> WholeNumbers.of(query, "minutes", USUAL_MINUTES, MOST_MINUTES));
    var metric = Optional.ofNullable(query.get("metric"));
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

  @Get("/workloads/{id:[^/]+}/why")
  HttpResponse<?> why(String id, HttpRequest<?> request) throws Refusal {
    return orNull(views.workloads().why(id, at(parameters(request))));
  }

  @Get("/workloads/{id:[^/]+}/tomorrow")
  TomorrowView.Tomorrow tomorrow(String id, HttpRequest<?> request) throws Refusal {
    return views.tomorrow().tomorrow(id, Optional.ofNullable(parameters(request).get("metric")));
  }

  @Get("/savings")
  Savings savings() {
    return views.replays().savings();
  }

  @Get("/workloads/{id:[^/]+}/replay")
  HttpResponse<?> replay(String id) {
    return orNull(views.replays().newest(id));
  }

  @Post("/workloads/{id:[^/]+}/replay")
  HttpResponse<ReplaysView.Job> startReplay(String id) throws Refusal {
    return switch (views.replays().start(id)) {
      case ReplaysView.Started.Running(var job) -> HttpResponse.accepted().body(job);
      case ReplaysView.Started.Refused(var reason) -> throw new Refusal(409, reason);
    };
  }

  @Get(value = "/workloads/{id:[^/]+}/replay/report", produces = MediaType.TEXT_HTML)
  HttpResponse<String> report(String id) throws Refusal {
    var page = views.replays().report(id).orElseThrow(() -> new Refusal(404, "No report yet."));
    return HttpResponse.ok(page)
        .contentType("text/html; charset=utf-8")
        .header("Content-Security-Policy", REPORT_POLICY);
  }

  @Post("/actions/{action}")
  Done perform(String action, @Body @Nullable Subject subject) throws Refusal {
    var workload = subject == null ? "" : Objects.requireNonNullElse(subject.workload(), "");
    return switch (views.actions().perform(action, workload)) {
      case ActionsView.Outcome.Done(var text) -> new Done(text);
      case ActionsView.Outcome.Refused(var text) -> throw new Refusal(409, text);
    };
  }

  /** Micronaut takes an empty answer for a page that does not exist. */
  private static HttpResponse<?> orNull(Optional<?> value) {
    return HttpResponse.ok(value.isPresent() ? value.get() : NullNode.getInstance());
  }

  private static Map<String, String> parameters(HttpRequest<?> request) {
    return request.getParameters().asMap(String.class, String.class);
  }

  private static <T> T valid(Supplier<T> reading) throws Refusal {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      throw new Refusal(400, String.valueOf(e.getMessage()));
    }
  }

  private static Instant at(Map<String, String> query) throws Refusal {
    try {
      return Instant.ofEpochSecond(Long.parseLong(query.getOrDefault("at", "")));
    } catch (NumberFormatException | DateTimeException _) {
      throw new Refusal(400, "at must be a time in seconds since 1970.");
    }
  }
}
