package io.prescale.controller.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parameters of a request. */
final class QueryString {
  private QueryString() {}

  /** The first value of each; what is not encoded well stands for itself. */
  static Map<String, String> parameters(@Nullable String raw) {
    var parameters = new HashMap<String, String>();
    if (raw != null) {
      for (String pair : raw.split("&", -1)) {
        int equals = pair.indexOf('=');
        if (equals > 0) {
          parameters.putIfAbsent(
              decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
        }
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      return text;
    }
  }
}
