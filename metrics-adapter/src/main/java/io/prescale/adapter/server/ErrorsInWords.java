package io.prescale.adapter.server;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.JsonErrorResponseBodyProvider;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.JsonWriter;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;

/**
 * Words what the server refuses before an endpoint sees it: as a {@code Status} on the listener of
 * the external metrics API, as an object with an {@code error} elsewhere.
 */
@Singleton
final class ErrorsInWords implements JsonErrorResponseBodyProvider<String> {
  private final Listeners listeners;

  ErrorsInWords(Listeners listeners) {
    this.listeners = listeners;
  }

  @Override
  public String body(ErrorContext context, HttpResponse<?> response) {
    var errors =
        context.getErrors().stream().map(Error::getMessage).collect(Collectors.joining("; "));
    var message = errors.isEmpty() ? response.reason() : errors;
    return listeners.isOn(context.getRequest(), ApiFilter.LISTENER)
        ? ExternalMetricsApi.unreadable(response.code(), message)
        : "{\"error\":" + JsonWriter.quoted(message) + "}";
  }
}
