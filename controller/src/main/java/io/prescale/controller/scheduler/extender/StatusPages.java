package io.prescale.controller.scheduler.extender;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Head;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prescale.adapter.server.OnListener;
import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import java.io.IOException;
import java.io.InputStream;

/**
 * What people and Prometheus read of an extender: {@code GET /problems}, {@code /cards} and {@code
 * /metrics}. None of it is secret, and none changes anything.
 */
@OnListener({ExtenderController.LISTENER, StatusPages.OPEN_LISTENER})
@Controller
@Requires(bean = ExtenderAnswers.class)
@ExecuteOn(TaskExecutors.BLOCKING)
final class StatusPages {
  /** The listener for callers that may not decide. */
  static final String OPEN_LISTENER = "metrics";

  private final ExtenderAnswers answers;

  StatusPages(ExtenderAnswers answers) {
    this.answers = answers;
  }

  @Get("/problems")
  String problems() throws JsonProcessingException {
    return new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValueAsString(answers.problems().get());
  }

  @Get(GpuPage.PATH)
  String cards(HttpRequest<?> request) {
    var query = GpusView.Query.of(request.getParameters().asMap(String.class, String.class));
    return answers.cards().page(query).json();
  }

  @Get(value = "/metrics", produces = ExtenderMetrics.CONTENT_TYPE, headRoute = false)
  HttpResponse<InputStream> metrics() throws IOException, InterruptedException {
    return answers.metrics().page().answer();
  }

  /** The head alone takes no place of those who read the page. */
  @Head("/metrics")
  HttpResponse<?> metricsHead() {
    return HttpResponse.ok().header("Content-Type", ExtenderMetrics.CONTENT_TYPE);
  }

  @Error(exception = IllegalArgumentException.class)
  HttpResponse<String> refuse(IllegalArgumentException e) {
    return HttpResponse.badRequest(e.getMessage() + "\n").contentType(MediaType.TEXT_PLAIN_TYPE);
  }
}
