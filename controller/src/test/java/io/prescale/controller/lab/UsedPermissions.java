package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Which permissions of the chart's roles Prescale has used in a laboratory, and which requests were
 * refused for want of one, by its audit log. See {@code docs/security.md}.
 */
final class UsedPermissions {
  private static final String ACCOUNTS = "system:serviceaccount:prescale:prescale";
  private static final ObjectMapper JSON = new ObjectMapper();

  private UsedPermissions() {}

  /** What was asked for; the resource with its subresource, such as {@code pods/binding}. */
  private record Request(
      String account,
      String verb,
      String group,
      String resource,
      String namespace,
      String name,
      boolean allowed) {
    /** Also what the API server authorizes besides: a creation by an apply, an impersonation. */
    static Stream<Request> of(JsonNode event) {
      return event.at("/objectRef/resource").asText().equals("subjectaccessreviews")
              && !event.at("/user/groups").toString().contains("system:masters")
          ? Stream.concat(reviewed(event), asked(event))
          : asked(event);
    }

    /** In whose name it calls another server, which lets the API server decide. */
    private static Stream<Request> reviewed(JsonNode event) {
      var review = event.at("/requestObject/spec");
      var attributes = review.path("resourceAttributes");
      boolean isAllowed = event.at("/responseObject/status/allowed").asBoolean();
      return isAllowed
              && review.path("user").asText().startsWith(ACCOUNTS)
              && attributes.path("verb").asText().equals("impersonate")
          ? Stream.of(
              new Request(
                  lastPart(review.path("user").asText()),
                  "impersonate",
                  attributes.path("group").asText(),
                  attributes.path("resource").asText(),
                  attributes.path("namespace").asText(),
                  attributes.path("name").asText(),
                  true))
          : Stream.of();
    }

    private static String lastPart(String user) {
      return user.substring(user.lastIndexOf(':') + 1);
    }

    private static Stream<Request> asked(JsonNode event) {
      var object = event.path("objectRef");
      var user = event.at("/user/username").asText();
      int code = event.at("/responseStatus/code").asInt();
      var decision = event.path("annotations").path("authorization.k8s.io/decision").asText();
      boolean allowed = decision.equals("allow");
      // What is neither failed before it was decided, as when the API server ends.
      boolean isDecided = allowed || code == HttpURLConnection.HTTP_FORBIDDEN;
      if (object.isMissingNode() || !user.startsWith(ACCOUNTS) || !isDecided) {
        return Stream.of();
      }
      var part = object.path("subresource").asText();
      var asked =
          new Request(
              lastPart(user),
              event.path("verb").asText(),
              object.path("apiGroup").asText(),
              object.path("resource").asText() + (part.isEmpty() ? "" : "/" + part),
              object.path("namespace").asText(),
              object.path("name").asText(),
              allowed);
      var other = event.at("/impersonatedUser/username").asText();
      if (!other.isEmpty()) {
        return Stream.of(asked.impersonating(other));
      }
      return code == HttpURLConnection.HTTP_CREATED
          ? Stream.of(asked, asked.with("create"))
          : Stream.of(asked);
    }

    private Request impersonating(String user) {
      var of = user.replaceFirst("system:serviceaccount:(.*):.*", "$1");
      return new Request(account, "impersonate", "", "serviceaccounts", of, lastPart(user), true);
    }

    private Request with(String otherVerb) {
      return new Request(account, otherVerb, group, resource, namespace, name, allowed);
    }

    @Override
    public String toString() {
      return PermissionList.text(account, verb, on(group, resource), name);
    }
  }

  private static String on(String group, String resource) {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  /**
   * One verb on one resource, as a role of an account grants it.
   *
   * @param namespace in which; empty for everywhere
   */
  private record Permission(
      String account,
      String namespace,
      String role,
      String verb,
      String group,
      String resource,
      List<String> names) {
    boolean covers(Request request) {
      return account.equals(request.account())
          && isOr(verb, request.verb())
          && isOr(group, request.group())
          && (isOr(resource, request.resource())
              || (resource.startsWith("*/") && request.resource().endsWith(resource.substring(1))))
          && (namespace.isEmpty() || namespace.equals(request.namespace()))
          && (names.isEmpty() || names.contains(request.name()));
    }

    private static boolean isOr(String granted, String asked) {
      return granted.equals("*") || granted.equals(asked);
    }

    /** Whether the chart grants it, by a role of its own and not by one of Kubernetes'. */
    boolean isOfTheChart() {
      return role.startsWith("prescale");
    }

    @Override
    public String toString() {
      return PermissionList.text(
          role, verb, on(group, resource), names.isEmpty() ? "" : names.getFirst());
    }
  }

  /** What a laboratory has seen; nothing where no role is installed. */
  record Seen(List<String> used, List<String> unused, List<String> refused) {
    private static final Seen NOTHING = new Seen(List.of(), List.of(), List.of());

    /** What the chart grants and no test uses; of the callers that values name, one is listed. */
    List<String> unlisted() {
      var listed = PermissionList.read().keySet();
      return Stream.concat(used.stream(), unused.stream())
          .filter(it -> !listed.contains(it) && !it.contains(": impersonate serviceaccounts "))
          .distinct()
          .toList();
    }

    /** Why the laboratory fails. */
    List<String> faults() {
      return Stream.concat(
              refused.stream().map("the chart's roles do not permit "::concat),
              unlisted().stream()
                  .map(
                      it ->
                          "nothing uses \"%s\"; remove it from the chart, or add the test that does and the line in %s"
                              .formatted(it, PermissionList.FILE)))
          .toList();
    }
  }

  /**
   * What a laboratory has seen until now.
   *
   * @throws IllegalStateException if its API server does not answer
   */
  static Seen seen(Lab lab) throws IOException, InterruptedException {
    var objects =
        JSON.readTree(
            lab.kubectl(
                "get",
                "clusterrolebindings,rolebindings,clusterroles,roles",
                "--all-namespaces",
                "--output=json"));
    var granted = granted(objects.path("items"));
    var ofTheChart = granted.stream().filter(Permission::isOfTheChart).toList();
    if (ofTheChart.isEmpty()) {
      return Seen.NOTHING;
    }
    var asked = new HashSet<Request>();
    AuditLog.wholeLog(lab, ACCOUNTS, event -> Request.of(event).forEach(asked::add));
    var allowed = asked.stream().filter(Request::allowed).toList();
    Predicate<Permission> isUsed = it -> allowed.stream().anyMatch(it::covers);
    // What a role grants is refused for a moment after the role was made or the API server started.
    Predicate<Request> isGranted = it -> granted.stream().anyMatch(role -> role.covers(it));
    return new Seen(
        ofTheChart.stream().filter(isUsed).map(Permission::toString).toList(),
        ofTheChart.stream().filter(isUsed.negate()).map(Permission::toString).toList(),
        asked.stream()
            .filter(it -> !it.allowed())
            .filter(isGranted.negate())
            .map(Request::toString)
            .sorted()
            .toList());
  }

  /** The same, which counts as used by the test class that runs. */
  static Seen add(Lab lab) throws IOException, InterruptedException {
    var seen = seen(lab);
    PermissionUse.add(seen.used());
    return seen;
  }

  private static List<Permission> granted(JsonNode objects) {
    var permissions = new ArrayList<Permission>();
    for (var binding : objects) {
      for (var subject : binding.path("subjects")) {
        if (isOfPrescale(subject)) {
          var role = binding.path("roleRef");
          each(objects)
              .filter(it -> it.path("kind").equals(role.path("kind")))
              .filter(it -> it.at("/metadata/name").equals(role.path("name")))
              .filter(it -> isIn(binding, it))
              .forEach(it -> permissions.addAll(of(subject.path("name").asText(), binding, it)));
        }
      }
    }
    return permissions;
  }

  private static boolean isOfPrescale(JsonNode subject) {
    return subject.path("namespace").asText().equals("prescale")
        && subject.path("name").asText().startsWith("prescale");
  }

  private static boolean isIn(JsonNode binding, JsonNode role) {
    return role.path("kind").asText().equals("ClusterRole")
        || role.at("/metadata/namespace").equals(binding.at("/metadata/namespace"));
  }

  private static List<Permission> of(String account, JsonNode binding, JsonNode role) {
    var permissions = new ArrayList<Permission>();
    for (var rule : role.path("rules")) {
      for (var group : rule.path("apiGroups")) {
        for (var resource : rule.path("resources")) {
          for (var verb : rule.path("verbs")) {
            permissions.add(
                new Permission(
                    account,
                    binding.at("/metadata/namespace").asText(),
                    role.at("/metadata/name").asText(),
                    verb.asText(),
                    group.asText(),
                    resource.asText(),
                    each(rule.path("resourceNames")).map(JsonNode::asText).toList()));
          }
        }
      }
    }
    return permissions;
  }

  private static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
