package io.prescale.controller.web;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;

/** Why a request is not answered as asked, in a sentence. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;

  Refusal(int status, String sentence) {
    super(sentence, null, false, false);
    this.status = status;
  }

  /** A refusal as JSON. */
  record Problem(String error) {}

  /** Answers with the refusal's status and sentence. */
  @Singleton
  static final class Handler implements ExceptionHandler<Refusal, HttpResponse<Problem>> {
    @Override
    @SuppressWarnings("rawtypes") // as Micronaut declares it
    public HttpResponse<Problem> handle(HttpRequest request, Refusal refusal) {
      return HttpResponse.<Problem>status(refusal.status, null)
          .body(new Problem(String.valueOf(refusal.getMessage())));
    }
  }
}
