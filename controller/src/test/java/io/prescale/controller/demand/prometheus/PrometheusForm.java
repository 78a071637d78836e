package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.Map;

/** What a client asks a Prometheus for, in the URL or in the body. */
public record PrometheusForm(Map<String, String> fields) {
  public static PrometheusForm of(HttpExchange exchange) throws IOException {
    var query = exchange.getRequestURI().getRawQuery();
    var text = query != null ? query : new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    return new PrometheusForm(
        Arrays.stream(text.split("&"))
            .map(pair -> pair.split("=", 2))
            .collect(toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], UTF_8))));
  }

  public String query() {
    return fields.getOrDefault("query", "");
  }

  public long number(String name) {
    return Long.parseLong(fields.getOrDefault(name, ""));
  }
}
