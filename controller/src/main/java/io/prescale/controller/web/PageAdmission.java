package io.prescale.controller.web;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.web.router.RouteAttributes;
import io.prescale.adapter.server.Listeners;
import java.util.regex.Pattern;

/**
 * Who gets what of the page: its files are for every caller, its JSON for those whom the gatekeeper
 * admits, and only a page of this very server may change anything. Files are on its listener alone.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Requires(bean = WebViews.class)
final class PageAdmission {
  private static final String API = "/api/";

  /** No other name can be made to lead here; the port may be another machine's, forwarded. */
  private static final Pattern OWN_HOST =
      Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d{1,5})?", CASE_INSENSITIVE);

  private final Listeners listeners;
  private final Gatekeeper gatekeeper;

  PageAdmission(Listeners listeners, Gatekeeper gatekeeper) {
    this.listeners = listeners;
    this.gatekeeper = gatekeeper;
  }

  @RequestFilter
  @ExecuteOn(TaskExecutors.BLOCKING)
  void admit(HttpRequest<?> request) throws Refusal {
    boolean hasRoute = RouteAttributes.getRouteMatch(request).isPresent();
    if (!listeners.isOn(request, PageController.LISTENER)) {
      if (!hasRoute && reads(request)) { // Micronaut would look for a file
        throw new HttpStatusException(HttpStatus.NOT_FOUND, "There is nothing here.");
      }
      return;
    }
    requireOwnHost(request);
    if (request.getPath().startsWith(API)) {
      requireAdmission(request);
    } else if (!hasRoute && !reads(request)) {
      throw new Refusal(405, "Only GET is answered here.");
    }
    if (!reads(request)) {
      requireOwnPage(request);
    }
  }

  private static boolean reads(HttpRequest<?> request) {
    return request.getMethod() == HttpMethod.GET || request.getMethod() == HttpMethod.HEAD;
  }

  private static String header(HttpRequest<?> request, String name) {
    return request.getHeaders().get(name, String.class, "");
  }

  private static void requireOwnHost(HttpRequest<?> request) throws Refusal {
    if (!OWN_HOST.matcher(header(request, HttpHeaders.HOST)).matches()) {
      throw new Refusal(421, "This server has another name; open it as http://localhost.");
    }
  }

  private void requireAdmission(HttpRequest<?> request) throws Refusal {
    switch (gatekeeper.judge(header(request, HttpHeaders.AUTHORIZATION))) {
      case Gatekeeper.Verdict.Admitted() -> {}
      case Gatekeeper.Verdict.Unknown(var sentence) -> throw new Refusal(401, sentence);
      case Gatekeeper.Verdict.Forbidden(var sentence) -> throw new Refusal(403, sentence);
      case Gatekeeper.Verdict.Undecided(var sentence) -> throw new Refusal(503, sentence);
    }
  }

  /** A page of another origin cannot hide where it is from. */
  private static void requireOwnPage(HttpRequest<?> request) throws Refusal {
    var origin = header(request, HttpHeaders.ORIGIN);
    if (!origin.isEmpty() && !origin.equals("http://" + header(request, HttpHeaders.HOST))) {
      throw new Refusal(403, "Only a page of this server may change anything.");
    }
  }
}
