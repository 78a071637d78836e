package io.prescale.controller.web;

import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.prescale.adapter.server.Listeners;

/**
 * What every answer of the page forbids a browser. Outermost, so that refusals of other filters
 * forbid the same.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
@Requires(bean = WebViews.class)
final class PageHeaders {
  /** Nothing from elsewhere, no script or style within the page, no frame around it. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";

  private final Listeners listeners;

  PageHeaders(Listeners listeners) {
    this.listeners = listeners;
  }

  @ResponseFilter
  void forbid(HttpRequest<?> request, MutableHttpResponse<?> response) {
    if (!listeners.isOn(request, PageController.LISTENER)) {
      return;
    }
    var headers = response.getHeaders();
    if (!headers.contains(CONTENT_SECURITY_POLICY)) {
      headers.set(CONTENT_SECURITY_POLICY, POLICY);
    }
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set(HttpHeaders.CACHE_CONTROL, "no-store");
    headers.remove(HttpHeaders.EXPIRES);
  }
}
