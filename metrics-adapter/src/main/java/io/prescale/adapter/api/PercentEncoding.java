package io.prescale.adapter.api;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decodes the parts of a URI (RFC 3986 §2.1), strictly. */
final class PercentEncoding {
  private PercentEncoding() {}

  /**
   * Decodes percent-encoded UTF-8.
   *
   * @param plusIsSpace whether {@code +} means a space, as in queries
   * @throws FailureException if an escape is incomplete, not hexadecimal or not UTF-8
   */
  static String decode(String encoded, boolean plusIsSpace) throws FailureException {
    var bytes = new ByteArrayOutputStream(encoded.length());
    for (int i = 0; i < encoded.length(); i++) {
      char c = encoded.charAt(i);
      if (c == '%') {
        bytes.write(escape(encoded, i));
        i += 2;
      } else if (c == '+' && plusIsSpace) {
        bytes.write(' ');
      } else if (c < 0x80) {
        bytes.write(c);
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes.toByteArray()))
          .toString();
    } catch (CharacterCodingException _) {
      throw bad(encoded);
    }
  }

  private static int escape(String encoded, int at) throws FailureException {
    if (at + 2 >= encoded.length()) {
      throw bad(encoded);
    }
    int high = Character.digit(encoded.charAt(at + 1), 16);
    int low = Character.digit(encoded.charAt(at + 2), 16);
    if (high < 0 || low < 0) {
      throw bad(encoded);
    }
    return (high << 4) | low;
  }

  private static FailureException bad(String encoded) {
    var excerpt = encoded.length() > 80 ? encoded.substring(0, 80) + "…" : encoded;
    return new FailureException(
        Failure.badRequest(
            "the URL has a malformed percent-encoding in \"%s\"; write a percent sign as %%25"
                .formatted(excerpt)));
  }
}
