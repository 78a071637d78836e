package io.prescale.adapter.api;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Decodes the parts of a URI (RFC 3986 §2.1), strictly. */
final class PercentEncoding {
  private static final Pattern MALFORMED = Pattern.compile("%(?![0-9A-Fa-f]{2})");

  /** What the decoder puts in place of bytes that are not UTF-8. */
  private static final char NOT_UTF_8 = '\ufffd';

  private PercentEncoding() {}

  /**
   * Decodes percent-encoded UTF-8.
   *
   * @param plusIsSpace whether {@code +} means a space, as in queries
   * @throws FailureException if an escape is incomplete, not hexadecimal or not UTF-8
   */
  static String decode(String encoded, boolean plusIsSpace) throws FailureException {
    if (MALFORMED.matcher(encoded).find()) {
      throw bad(encoded);
    }
    var text =
        URLDecoder.decode(
            plusIsSpace ? encoded : encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
    if (text.indexOf(NOT_UTF_8) >= 0) {
      throw bad(encoded);
    }
    return text;
  }

  private static FailureException bad(String encoded) {
    var excerpt = encoded.length() > 80 ? encoded.substring(0, 80) + "…" : encoded;
    return new FailureException(
        Failure.badRequest(
            "the URL has a malformed percent-encoding in \"%s\"; write a percent sign as %%25"
                .formatted(excerpt)));
  }
}
