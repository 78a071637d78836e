package io.prescale.adapter.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.prescale.adapter.api.ApiRequest;
import io.prescale.adapter.api.ApiResponse;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.InFlight;
import io.prescale.adapter.identity.CallerCredentials;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Hands every request to the API before any route is looked for: which paths there are, and for
 * whom, is the API's to say.
 */
@ServerFilter(ServerFilter.MATCH_ALL_PATTERN)
@Order(Ordered.HIGHEST_PRECEDENCE)
@Requires(bean = ExternalMetricsApi.class)
public final class ApiFilter {
  /** The listener of the API. */
  public static final String LISTENER = "external-metrics";

  private final ExternalMetricsApi api;
  private final Listeners listeners;
  private final InFlight inFlight;

  /**
   * @param maxInFlight requests that are answered at once, shared between callers by {@link
   *     InFlight}; more are refused with 429. The default is that of Kubernetes' generic API server
   */
  ApiFilter(
      ExternalMetricsApi api,
      Listeners listeners,
      @Value("${prescale.external-metrics.max-in-flight:400}") int maxInFlight) {
    this.api = api;
    this.listeners = listeners;
    this.inFlight = new InFlight(maxInFlight);
  }

  /** The API's answer; null, which lets Micronaut go on, for requests of other listeners. */
  @RequestFilter
  @ExecuteOn(TaskExecutors.BLOCKING)
  @Nullable HttpResponse<?> answer(HttpRequest<?> request) {
    return listeners.isOn(request, LISTENER) && isReadable(request)
        ? written(api.handle(question(request), inFlight), request.getMethodName())
        : null;
  }

  /**
   * Whether the target could be parsed. Micronaut shows its filters a malformed one as "/" without
   * any headers, and then refuses it with 400 for every caller.
   */
  private static boolean isReadable(HttpRequest<?> request) {
    return !request.getHeaders().names().isEmpty() || !request.getUri().toString().equals("/");
  }

  private static ApiRequest question(HttpRequest<?> request) {
    var headers = new LinkedHashMap<String, List<String>>();
    for (Map.Entry<String, List<String>> header : request.getHeaders()) {
      headers.merge(
          header.getKey().toLowerCase(Locale.ROOT),
          header.getValue().stream().map(ApiFilter::inUtf8).toList(),
          (first, second) -> Stream.concat(first.stream(), second.stream()).toList());
    }
    var uri = request.getUri();
    var path = uri.getRawPath();
    var query = uri.getRawQuery();
    return new ApiRequest(
        request.getMethodName(),
        path == null ? "/" : path,
        query == null ? "" : query,
        new CallerCredentials(
            headers, request.getSslSession().map(ApiFilter::chain).orElse(List.of())));
  }

  /** API servers send names of users in UTF-8, which Netty reads as Latin-1. */
  private static String inUtf8(String value) {
    return value.chars().allMatch(it -> it < 0x80)
        ? value
        : new String(value.getBytes(ISO_8859_1), UTF_8);
  }

  private static List<X509Certificate> chain(SSLSession session) {
    try {
      return Stream.of(session.getPeerCertificates())
          .filter(X509Certificate.class::isInstance)
          .map(X509Certificate.class::cast)
          .toList();
    } catch (SSLPeerUnverifiedException _) {
      return List.of(); // the client has shown none
    }
  }

  private static MutableHttpResponse<?> written(ApiResponse answer, String method) {
    var response = HttpResponse.<Object>status(answer.status(), null);
    answer.headers().forEach(response::header);
    if (answer.passing().isEmpty()) {
      return answer.status() == 304 ? response : response.body(answer.body());
    }
    var passing = answer.passing().get();
    if (answer.status() != 304 && !method.equals("HEAD")) {
      return response.body(passing);
    }
    try {
      passing.close(); // nothing else would: these answers have no body
    } catch (IOException _) {
      // it is not read
    }
    return response;
  }
}
