package io.prescale.adapter.api;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes responses in a format that the request accepts. */
final class ResponseWriter {
  private static final String SUPPORTED =
      Stream.of(Accept.Format.values())
          .map(Accept.Format::mediaType)
          .collect(Collectors.joining(", "));

  private final Accept accept;
  private final boolean pretty;

  ResponseWriter(ApiRequest request) {
    accept = Accept.parse(request.credentials().header("accept"));
    pretty = wantsPretty(request);
  }

  /** Whether to indent, as the generic server does for terminals and browsers. */
  private static boolean wantsPretty(ApiRequest request) {
    var agent = String.join("", request.credentials().header("user-agent"));
    var parameters = List.of(request.rawQuery().split("&", -1));
    return parameters.contains("pretty=true")
        || parameters.contains("pretty=1")
        || Stream.of("curl", "wget", "mozilla/5.0")
            .anyMatch(agent.toLowerCase(Locale.ROOT)::startsWith);
  }

  Accept accept() {
    return accept;
  }

  /** Responds with an object and status 200. */
  ApiResponse object(ApiObject object) throws FailureException {
    var format = accept.format().orElseThrow(() -> notAcceptable(SUPPORTED));
    return written(200, object, format);
  }

  /** Refuses a client that does not accept JSON where no other format exists. */
  void requireJson() throws FailureException {
    if (!accept.takesJson()) {
      throw notAcceptable(Accept.Format.JSON.mediaType());
    }
  }

  /** Responds with a failure and its status, in JSON if the client accepts no format of the API. */
  ApiResponse failure(Failure failure) {
    var response = written(failure.code(), failure, accept.format().orElse(Accept.Format.JSON));
    if (failure.code() == 403) {
      response = response.with("X-Content-Type-Options", "nosniff");
    }
    return failure.retryAfterSeconds().isPresent()
        ? response.with("Retry-After", Integer.toString(failure.retryAfterSeconds().getAsInt()))
        : response;
  }

  private ApiResponse written(int status, ApiObject object, Accept.Format format) {
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", format.mediaType());
    return new ApiResponse(
        status,
        headers,
        switch (format) {
          case JSON -> utf8(JsonWriter.of(object.document(), pretty) + "\n");
          case YAML -> utf8(YamlText.of(object.document()));
          case PROTOBUF -> Protobuf.envelope(object.apiVersion(), object.kind(), object.protobuf());
        });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static FailureException notAcceptable(String supported) {
    return new FailureException(Failure.notAcceptable(supported));
  }
}
