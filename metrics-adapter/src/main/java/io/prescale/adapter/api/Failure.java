package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.OptionalInt;

/**
 * A {@code metav1.Status} that reports a failure.
 *
 * @param code the HTTP status
 * @param reason machine-readable, from Kubernetes' closed list
 * @param message human-readable
 * @param group API group of the resource, or empty
 * @param resource the resource concerned, or empty
 * @param retryAfterSeconds when to retry, if that may help
 */
record Failure(
    int code,
    String reason,
    String message,
    String group,
    String resource,
    OptionalInt retryAfterSeconds)
    implements ApiObject {
  static Failure badRequest(String message) {
    return plain(400, "BadRequest", message);
  }

  static Failure unauthorized() {
    return plain(401, "Unauthorized", "Unauthorized");
  }

  static Failure forbidden(String message, String group, String resource) {
    return new Failure(403, "Forbidden", message, group, resource, OptionalInt.empty());
  }

  static Failure noSuchPath() {
    return plain(404, "NotFound", "the server could not find the requested resource");
  }

  static Failure noSuchMetric(String message, String metric) {
    return new Failure(404, "NotFound", message, Discovery.GROUP, metric, OptionalInt.empty());
  }

  static Failure methodNotAllowed() {
    return plain(
        405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
  }

  static Failure noWatch(String metric) {
    return new Failure(
        405,
        "MethodNotAllowed",
        "watch is not supported on resources of kind \"%s.%s\"".formatted(metric, Discovery.GROUP),
        Discovery.GROUP,
        metric,
        OptionalInt.empty());
  }

  static Failure notAcceptable(String supported) {
    return plain(406, "NotAcceptable", "only the following media types are accepted: " + supported);
  }

  static Failure internal(String message) {
    return plain(500, "InternalError", message);
  }

  static Failure unavailable(String message) {
    return new Failure(503, "ServiceUnavailable", message, "", "", OptionalInt.of(1));
  }

  /** Has no time to retry: the HPA controller would wait for it and delay its other HPAs. */
  static Failure unknownValue(String reason) {
    return plain(503, "ServiceUnavailable", reason);
  }

  static Failure tooMany() {
    return new Failure(
        429,
        "TooManyRequests",
        "too many requests are under way; try again later",
        "",
        "",
        OptionalInt.of(1));
  }

  private static Failure plain(int code, String reason, String message) {
    return new Failure(code, reason, message, "", "", OptionalInt.empty());
  }

  @Override
  public String apiVersion() {
    return "v1";
  }

  @Override
  public String kind() {
    return "Status";
  }

  @Override
  public ObjectNode document() {
    var status =
        JsonNodeFactory.instance.objectNode().put("kind", kind()).put("apiVersion", apiVersion());
    status.putObject("metadata");
    status.put("status", "Failure").put("message", message).put("reason", reason);
    var details = status.putObject("details");
    if (!resource.isEmpty()) {
      details.put("group", group).put("kind", resource);
    }
    retryAfterSeconds.ifPresent(seconds -> details.put("retryAfterSeconds", seconds));
    return status.put("code", code);
  }

  /** Field numbers of {@code k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto}. */
  @Override
  public Protobuf protobuf() {
    var details = new Protobuf();
    if (!resource.isEmpty()) {
      details.text(2, group).text(3, resource);
    }
    retryAfterSeconds.ifPresent(seconds -> details.number(5, seconds));
    return new Protobuf()
        .message(1, emptyListMeta())
        .text(2, "Failure")
        .text(3, message)
        .text(4, reason)
        .message(5, details)
        .number(6, code);
  }

  static Protobuf emptyListMeta() {
    return new Protobuf().text(1, "").text(2, "").text(3, "");
  }
}
