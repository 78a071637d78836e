package io.prescale.adapter.server;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.server.exceptions.response.Error;
import io.micronaut.http.server.exceptions.response.ErrorContext;
import io.micronaut.http.server.exceptions.response.JsonErrorResponseBodyProvider;
import io.prescale.adapter.api.ExternalMetricsApi;
import jakarta.inject.Singleton;
import java.util.stream.Collectors;

/** Words as a {@code Status} what the server refuses before the API sees it. */
@Singleton
@Requires(bean = ExternalMetricsApi.class)
final class StatusOfHttp implements JsonErrorResponseBodyProvider<String> {
  @Override
  public String body(ErrorContext context, HttpResponse<?> response) {
    var message =
        context.getErrors().stream().map(Error::getMessage).collect(Collectors.joining("; "));
    return ExternalMetricsApi.unreadable(
        response.code(), message.isEmpty() ? response.reason() : message);
  }
}
