package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;

/** A document that does not change while the server runs, with its entity tag. */
final class FixedPage {
  private final byte[] body;
  private final String hash;
  private final String contentType;

  FixedPage(JsonNode document, String contentType) {
    this(JsonWriter.of(document, false).getBytes(StandardCharsets.UTF_8), contentType);
  }

  FixedPage(byte[] body, String contentType) {
    this.body = body.clone();
    this.hash = sha512(body);
    this.contentType = contentType;
  }

  /** The SHA-512 of the body, in hexadecimal. */
  String hash() {
    return hash;
  }

  /**
   * The page, or 304 if the client already has it.
   *
   * @param ifNoneMatch the values of the {@code If-None-Match} header
   */
  ApiResponse answer(List<String> ifNoneMatch) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Etag", "\"" + hash + "\"");
    for (var value : ifNoneMatch) {
      for (var tag : value.split(",", -1)) {
        if (tag.strip().equals("*")
            || tag.strip().replaceFirst("^W/", "").equals("\"" + hash + "\"")) {
          return new ApiResponse(304, headers, new byte[0]);
        }
      }
    }
    headers.put("Content-Type", contentType);
    return new ApiResponse(200, headers, body);
  }

  private static String sha512(byte[] bytes) {
    try {
      return HexFormat.of()
          .withUpperCase()
          .formatHex(MessageDigest.getInstance("SHA-512").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK provides SHA-512", e);
    }
  }
}
