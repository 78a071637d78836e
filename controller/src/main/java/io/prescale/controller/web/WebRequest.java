package io.prescale.controller.web;

import java.util.Map;

/**
 * A request without its transport.
 *
 * @param path decoded, begins with a slash
 * @param query the first value of each parameter
 * @param headers the first value of each, by lower-case name
 */
record WebRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, String> headers,
    String body) {
  WebRequest {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
