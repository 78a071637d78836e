package io.prescale.adapter.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/** An HTTP response: status, headers except those of the connection, and body. */
public final class ApiResponse {
  private final int status;
  private final SequencedMap<String, String> headers;
  private final byte[] body;

  ApiResponse(int status, SequencedMap<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(headers));
    this.body = body.clone();
  }

  public int status() {
    return status;
  }

  /** The headers, one value per name. */
  public SequencedMap<String, String> headers() {
    return headers;
  }

  public byte[] body() {
    return body.clone();
  }

  /**
   * Another server's response.
   *
   * @param headers except those of the connection
   */
  public static ApiResponse of(int status, SequencedMap<String, String> headers, byte[] body) {
    return new ApiResponse(status, headers, body);
  }

  ApiResponse with(String header, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new ApiResponse(status, more, body);
  }
}
