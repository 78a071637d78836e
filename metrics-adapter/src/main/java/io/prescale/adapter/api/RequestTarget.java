package io.prescale.adapter.api;

import io.prescale.adapter.MetricKey;
import io.prescale.adapter.identity.Access;
import io.prescale.adapter.identity.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The path and query of a request.
 *
 * @param segments decoded segments of the path; a slash at its end does not count
 * @param query the first value of each parameter, decoded
 */
record RequestTarget(List<String> segments, Map<String, String> query) {
  /** Positions in {@code apis/{group}/{version}/namespaces/{namespace}/{metric}}. */
  private static final int NAMESPACE = 4;

  private static final int METRIC = 5;

  RequestTarget {
    segments = List.copyOf(segments);
    query = Map.copyOf(query);
  }

  /**
   * Reads the target of a request.
   *
   * @throws FailureException also for a path that begins without a slash: behind the address of
   *     another server it would be a part of the server's name
   */
  static RequestTarget of(ApiRequest request) throws FailureException {
    if (!request.rawPath().isEmpty() && !request.rawPath().startsWith("/")) {
      throw new FailureException(Failure.badRequest("the path does not begin with a slash"));
    }
    var segments = new ArrayList<String>();
    for (var raw : request.rawPath().split("/", -1)) {
      segments.add(PercentEncoding.decode(raw, false));
    }
    segments.removeFirst(); // the empty one before the first slash
    if (!segments.isEmpty() && segments.getLast().isEmpty()) {
      segments.removeLast();
    }
    return new RequestTarget(segments, query(request.rawQuery()));
  }

  private static Map<String, String> query(String raw) throws FailureException {
    var query = new TreeMap<String, String>();
    for (var pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      var name = equals < 0 ? pair : pair.substring(0, equals);
      var value = equals < 0 ? "" : pair.substring(equals + 1);
      query.putIfAbsent(PercentEncoding.decode(name, true), PercentEncoding.decode(value, true));
    }
    return query;
  }

  String path() {
    return "/" + String.join("/", segments);
  }

  String parameter(String name) {
    return query.getOrDefault(name, "");
  }

  /** Whether a parameter is set to anything but {@code false} and {@code 0}. */
  boolean isOn(String name) {
    var value = parameter(name).toLowerCase(Locale.ROOT);
    return query.containsKey(name) && !value.equals("false") && !value.equals("0");
  }

  /** Whether the path names a metric: {@code …/namespaces/{namespace}/{metric}}. */
  boolean isMetric() {
    return isInGroup()
        && segments.size() == METRIC + 1
        && segments.get(NAMESPACE - 1).equals("namespaces")
        && isName(segments.get(NAMESPACE))
        && isName(segments.get(METRIC));
  }

  /** The metric of a path of which {@link #isMetric} holds. */
  MetricKey metric() {
    return new MetricKey(segments.get(NAMESPACE), segments.get(METRIC));
  }

  private boolean isInGroup() {
    return segments.size() >= 3
        && segments.get(0).equals("apis")
        && segments.get(1).equals(Discovery.GROUP)
        && segments.get(2).equals(Discovery.VERSION);
  }

  /**
   * The API's rule for names in paths ({@code IsValidPathSegmentName}), which also excludes blanks
   * here.
   */
  private static boolean isName(String segment) {
    return !segment.isBlank()
        && !segment.equals(".")
        && !segment.equals("..")
        && segment.indexOf('/') < 0
        && segment.indexOf('%') < 0
        && segment.chars().noneMatch(Character::isISOControl);
  }

  /**
   * The access to be reviewed by the cluster, derived as in the generic server ({@code
   * k8s.io/apiserver/pkg/endpoints/request/requestinfo.go}).
   */
  Access access(User user, String method) {
    if (segments.size() < 4 || !segments.get(0).equals("apis")) {
      return new Access.ToPath(user, method.toLowerCase(Locale.ROOT), path());
    }
    var parts = segments.subList(3, segments.size());
    var namespace = "";
    if (parts.size() > 1 && parts.get(0).equals("namespaces")) {
      namespace = parts.get(1);
      parts = parts.size() > 2 ? parts.subList(2, parts.size()) : parts;
    }
    var name = parts.size() > 1 ? parts.get(1) : "";
    var subresource = parts.size() > 2 ? parts.get(2) : "";
    return new Access.ToResource(
        user,
        verb(method, name),
        segments.get(1),
        segments.get(2),
        parts.get(0),
        subresource,
        namespace,
        name);
  }

  private String verb(String method, String name) {
    return switch (method) {
      case "GET", "HEAD" -> isOn("watch") ? "watch" : name.isEmpty() ? "list" : "get";
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      default -> method.toLowerCase(Locale.ROOT);
    };
  }
}
