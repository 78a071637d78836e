package io.prescale.controller.scheduler.extender;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prescale.adapter.server.OnListener;
import io.prescale.controller.scheduler.extender.ExtenderApi.Verb;
import io.prescale.controller.scheduler.extender.Question.MalformedRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * kube-scheduler's calls: {@code POST /filter}, {@code /prioritize}, {@code /preempt}, {@code
 * /bind}.
 */
@OnListener(ExtenderController.LISTENER)
@Controller
@Requires(bean = ExtenderAnswers.class)
@ExecuteOn(TaskExecutors.BLOCKING)
public final class ExtenderController {
  /** The listener that kube-scheduler calls. */
  public static final String LISTENER = "extender";

  /** 5,000 whole nodes of 20 KB. */
  private static final int LARGEST_BODY = 128 * 1024 * 1024;

  private final ExtenderAnswers answers;

  ExtenderController(ExtenderAnswers answers) {
    this.answers = answers;
  }

  /** The body is read as a stream: Netty copies a large array again and again. */
  @Post(
      value = "/{verb:filter|prioritize|preempt|bind}",
      consumes = MediaType.ALL,
      produces = MediaType.APPLICATION_JSON)
  HttpResponse<?> answer(String verb, @Body @Nullable InputStream body)
      throws IOException, MalformedRequestException, InterruptedException {
    var asked = Verb.valueOf(verb.toUpperCase(Locale.ROOT));
    byte[] question = read(body);
    if (question.length > LARGEST_BODY) {
      return plain(HttpStatus.REQUEST_ENTITY_TOO_LARGE, "the body is too large\n");
    }
    var missing = answers.whyNotReady().get();
    if (missing.isPresent()) {
      return plain(HttpStatus.SERVICE_UNAVAILABLE, missing.get() + "\n");
    }
    try (var _ = answers.metrics().answering(asked)) {
      return HttpResponse.ok(answers.api().answer(asked, question));
    }
  }

  private static byte[] read(@Nullable InputStream body) throws IOException {
    if (body == null) {
      return new byte[0];
    }
    try (body) {
      return body.readNBytes(LARGEST_BODY + 1);
    }
  }

  @Error(exception = MalformedRequestException.class)
  HttpResponse<String> malformed(MalformedRequestException e) {
    return plain(HttpStatus.BAD_REQUEST, e.getMessage() + "\n");
  }

  @Error(exception = InterruptedException.class)
  HttpResponse<String> stopping(InterruptedException e) {
    return plain(HttpStatus.SERVICE_UNAVAILABLE, "the extender stops\n");
  }

  private static HttpResponse<String> plain(HttpStatus status, String text) {
    return HttpResponse.<String>status(status).body(text).contentType(MediaType.TEXT_PLAIN_TYPE);
  }
}
