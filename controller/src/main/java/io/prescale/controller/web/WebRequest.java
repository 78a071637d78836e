package io.prescale.controller.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A request without its transport.
 *
 * @param path as sent, begins with a slash; what is between slashes may be percent-encoded
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

  /** What is between the slashes of the path, from a place on. */
  List<String> parts(int from) {
    return Arrays.stream(path.substring(from).split("/", -1)).map(WebRequest::decoded).toList();
  }

  /** What is not encoded well stands for itself; unlike in a form, a plus is a plus. */
  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return part;
    }
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
