package io.prescale.adapter.api;

import java.io.InputStream;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/** An HTTP response: status, headers except those of the connection, and body. */
public final class ApiResponse {
  private final int status;
  private final SequencedMap<String, String> headers;
  private final byte[] body;
  private final Optional<InputStream> passing;

  ApiResponse(int status, SequencedMap<String, String> headers, byte[] body) {
    this(status, headers, body.clone(), Optional.empty());
  }

  private ApiResponse(
      int status,
      SequencedMap<String, String> headers,
      byte[] body,
      Optional<InputStream> passing) {
    this.status = status;
    this.headers = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(headers));
    this.body = body;
    this.passing = passing;
  }

  public int status() {
    return status;
  }

  /** The headers, one value per name. */
  public SequencedMap<String, String> headers() {
    return headers;
  }

  /** The body; empty if it is {@link #passing}. */
  public byte[] body() {
    return body.clone();
  }

  /** The body that still comes from another server, to be read once and closed. */
  public Optional<InputStream> passing() {
    return passing;
  }

  /**
   * Another server's response.
   *
   * @param headers except those of the connection
   * @param body as it comes
   */
  public static ApiResponse passingOn(
      int status, SequencedMap<String, String> headers, InputStream body) {
    return new ApiResponse(status, headers, new byte[0], Optional.of(body));
  }

  ApiResponse with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ApiResponse(status, more, body, passing);
  }
}
