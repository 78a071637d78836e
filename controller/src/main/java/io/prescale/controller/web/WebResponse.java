package io.prescale.controller.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** An answer without its transport; the body is text, as everything that is served is. */
record WebResponse(int status, Map<String, String> headers, String body) {
  WebResponse {
    headers = Map.copyOf(headers);
  }

  static WebResponse of(int status, String contentType, String body) {
    return new WebResponse(status, Map.of("Content-Type", contentType), body);
  }

  WebResponse with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new WebResponse(status, more, body);
  }
}
