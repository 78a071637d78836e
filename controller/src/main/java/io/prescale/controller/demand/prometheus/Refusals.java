package io.prescale.controller.demand.prometheus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.demand.prometheus.Outcome.Failed;
import io.prescale.controller.input.Excerpt;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * The failures of a request, as sentences with a remedy. They quote the server only if an
 * administrator named it.
 */
record Refusals(PrometheusServer server, Patience patience) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern TITLE =
      Pattern.compile("<title[^>]*>([^<]*)", Pattern.CASE_INSENSITIVE);
  private static final Pattern WHOLE_SECONDS = Pattern.compile("\\d{1,6}");
  private static final int LONGEST_MESSAGE = 500;

  private URI url() {
    return server.url();
  }

  private String unlessForeign(String quotation) {
    return server.isNamedByUser() ? "" : quotation;
  }

  PrometheusException exception(Failed failed, int failures) {
    var attempts = failures > 1 ? "After %d attempts: ".formatted(failures) : "";
    var end = failed.problem().endsWith("?") ? "" : ".";
    return new PrometheusException(
        failed.kind(),
        attempts + url() + " " + failed.problem() + end,
        failed.cause().orElse(null));
  }

  Failed timeout() {
    return later(Problem.TIMEOUT, "did not answer within " + inWords(patience.answer()));
  }

  Failed tooLarge(long mostBytes) {
    return unusable(
        Problem.TOO_LARGE,
        "sent a response of more than %d MiB, as for many series; sum() reduces them to one"
            .formatted(mostBytes >> 20));
  }

  Failed answer(String problem) {
    return unusable(Problem.UNUSABLE_ANSWER, "sent a response that " + problem);
  }

  Failed answer(NotAMatrix e) {
    return unusable(e.kind(), "sent a response that " + e.problem() + unlessForeign(e.quotation()));
  }

  Failed notJson(String preamble) {
    return answer("is not JSON" + unlessForeign(", but " + Excerpt.quoted(preamble)));
  }

  /** No connection was made. */
  Failed forbiddenAddress() {
    return new Failed(
        Problem.ACCESS_DENIED,
        "resolves to an address that may not be asked, such as one of loopback, a link-local one or"
            + " the API server's; an administrator can allow an address itself with"
            + " --allow-prometheus",
        false,
        Duration.ZERO,
        Optional.empty());
  }

  Failed webPage(String html) {
    var title = TITLE.matcher(html);
    return unreachable(
        "responds with a web page%s instead of data: it is not Prometheus, or requires a login; check the URL and the credentials"
            .formatted(
                title.find() ? unlessForeign(" titled " + Excerpt.quoted(title.group(1))) : ""));
  }

  Failed connection(IOException e) {
    return switch (e) {
      case HttpConnectTimeoutException _ ->
          later(
              Problem.TIMEOUT,
              "did not accept a connection within " + inWords(patience.connecting()),
              e);
      case ConnectException _ when hasCause(e, UnresolvedAddressException.class) -> unknownHost(e);
      case ConnectException _ ->
          later(Problem.UNREACHABLE, "refuses connections; is Prometheus running there?", e);
      case SSLException _ -> tls(e);
      case IOException _ when e instanceof EOFException || hasCause(e, EOFException.class) ->
          later(
              Problem.UNREACHABLE,
              "closed the connection without a complete answer; is Prometheus running there?",
              e);
      default ->
          later(
              Problem.UNREACHABLE,
              "closed the connection" + unlessForeign(": " + Excerpt.of(innermost(e), 200)),
              e);
    };
  }

  Failed unknownHost(IOException e) {
    return unreachable("cannot be resolved: there is no address for " + url().getHost(), e);
  }

  private Failed tls(IOException e) {
    var reason = innermost(e);
    if (reason.toLowerCase(Locale.ROOT).contains("unrecognized ssl message")) {
      return unreachable("does not speak TLS; write http:// instead of https://", e);
    }
    if (reason.contains("unable to find valid certification path")) {
      return denied("presents a certificate of an untrusted CA; add that CA certificate", e);
    }
    return unreachable(
        "cannot be reached over TLS" + unlessForeign(": " + Excerpt.of(reason, 200)), e);
  }

  /** A status other than 200. */
  Failed status(HttpResponse<?> response, String body) {
    int status = response.statusCode();
    var error = prometheusError(body);
    if ((status == 400 || status == 422) && error.isPresent()) {
      return unusable(
          Problem.QUERY_REFUSED, "rejects the query" + unlessForeign(": " + error.get()));
    }
    if (body.startsWith("Client sent an HTTP request to an HTTPS server")) {
      return unreachable("requires TLS; write https:// instead of http://");
    }
    if (status == 404) {
      return unreachable(
          "has no Prometheus API; is a part of the path missing, such as /prometheus?");
    }
    if (status / 100 == 3) {
      var target = response.headers().firstValue("Location").orElse("");
      return unreachable(
          "redirects%s; give the final URL instead"
              .formatted(unlessForeign(" to " + Excerpt.quoted(target))));
    }
    var problem =
        switch (status) {
          case 401, 403 -> "denies access with these credentials";
          case 429 -> "limits the rate of requests";
          default -> "reports an error";
        };
    var said =
        error.or(() -> otherError(body)).map(words -> unlessForeign(": " + words)).orElse("");
    return new Failed(
        status == 401 || status == 403 ? Problem.ACCESS_DENIED : Problem.SERVER_ERROR,
        "%s (%d)%s".formatted(problem, status, said),
        status == 429 || status >= 500,
        retryAfter(response),
        Optional.empty());
  }

  private static Optional<String> prometheusError(String body) {
    try {
      var error = JSON.readTree(body).path("error");
      return error.isTextual()
          ? Optional.of(Excerpt.of(error.textValue(), LONGEST_MESSAGE))
          : Optional.empty();
    } catch (JsonProcessingException _) {
      return Optional.empty();
    }
  }

  /** The message of a proxy in front of Prometheus. */
  private static Optional<String> otherError(String body) {
    var title = TITLE.matcher(body);
    var words = title.find() ? title.group(1) : body;
    return words.isBlank() ? Optional.empty() : Optional.of(Excerpt.quoted(words));
  }

  /** Parses seconds only; for a date, the usual pause applies. */
  private static Duration retryAfter(HttpResponse<?> response) {
    var seconds = response.headers().firstValue("Retry-After").orElse("");
    return WHOLE_SECONDS.matcher(seconds).matches()
        ? Duration.ofSeconds(Long.parseLong(seconds))
        : Duration.ZERO;
  }

  private static String innermost(Throwable e) {
    var cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
    for (var cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static String inWords(Duration duration) {
    return duration.toSeconds() > 0 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
  }

  private static Failed later(Problem kind, String problem) {
    return new Failed(kind, problem, true, Duration.ZERO, Optional.empty());
  }

  private static Failed later(Problem kind, String problem, Throwable cause) {
    return new Failed(kind, problem, true, Duration.ZERO, Optional.of(cause));
  }

  private static Failed denied(String problem, Throwable cause) {
    return new Failed(Problem.ACCESS_DENIED, problem, false, Duration.ZERO, Optional.of(cause));
  }

  private static Failed unreachable(String problem) {
    return new Failed(Problem.UNREACHABLE, problem, false, Duration.ZERO, Optional.empty());
  }

  private static Failed unreachable(String problem, Throwable cause) {
    return new Failed(Problem.UNREACHABLE, problem, false, Duration.ZERO, Optional.of(cause));
  }

  private static Failed unusable(Problem kind, String problem) {
    return new Failed(kind, problem, false, Duration.ZERO, Optional.empty());
  }
}
