package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.lab.AuditedRequest.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Which permissions of the chart's roles Prescale has used in a laboratory, and which requests were
 * refused for want of one or in spite of one, by its audit log. See {@code docs/security.md}.
 */
final class UsedPermissions {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ANY = "*";

  private UsedPermissions() {}

  /**
   * One verb on one resource or path, as a role of an account grants it.
   *
   * @param account {@value #ANY} for all
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
    boolean covers(AuditedRequest request) {
      return isOr(account, request.account())
          && isOr(verb, request.verb())
          && isOr(group, request.group())
          && isOfResource(request.resource())
          && (namespace.isEmpty() || namespace.equals(request.namespace()))
          && (names.isEmpty() || names.contains(request.name()));
    }

    private boolean isOfResource(String asked) {
      return isOr(resource, asked)
          || (resource.startsWith("*/") && asked.endsWith(resource.substring(1)))
          || (resource.endsWith("/*")
              && asked.startsWith(resource.substring(0, resource.length() - 1)));
    }

    private static boolean isOr(String granted, String asked) {
      return granted.equals(ANY) || granted.equals(asked);
    }

    /** Whether the chart grants it, by a role of its own and not by one of Kubernetes'. */
    boolean isOfTheChart() {
      return role.startsWith("prescale");
    }

    @Override
    public String toString() {
      return PermissionList.text(
          role, verb, PermissionList.on(group, resource), names.isEmpty() ? "" : names.getFirst());
    }
  }

  /**
   * What a laboratory has seen; nothing where no role is installed.
   *
   * @param refused what no role permits
   * @param rejected what one does, and was refused all the same, with the reason
   */
  record Seen(List<String> used, List<String> unused, List<String> refused, List<String> rejected) {
    private static final Seen NOTHING = new Seen(List.of(), List.of(), List.of(), List.of());

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
      return faults(PermissionUse.provoked());
    }

    /**
     * The same.
     *
     * @param provoked the rejections that the test is about
     */
    List<String> faults(List<String> provoked) {
      return Stream.of(
              refused.stream().map("the chart's roles do not permit "::concat),
              rejected.stream()
                  .filter(it -> provoked.stream().noneMatch(known -> it.startsWith(known + ": ")))
                  .map("the API server refuses what the chart's roles permit, "::concat),
              unlisted().stream()
                  .map(
                      it ->
                          "nothing uses \"%s\"; remove it from the chart, or add the test that does and the line in %s"
                              .formatted(it, PermissionList.FILE)))
          .flatMap(it -> it)
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
    var asked = new HashSet<AuditedRequest>();
    AuditLog.wholeLog(
        lab, AuditedRequest.ACCOUNTS, event -> AuditedRequest.of(event).forEach(asked::add));
    return seen(objects.path("items"), asked);
  }

  /**
   * The same.
   *
   * @param objects all roles and their bindings
   */
  static Seen seen(JsonNode objects, Collection<AuditedRequest> asked) {
    var granted = granted(objects);
    var ofTheChart = granted.stream().filter(Permission::isOfTheChart).toList();
    if (ofTheChart.isEmpty()) {
      return Seen.NOTHING;
    }
    var permitted = with(Outcome.PERMITTED, asked).toList();
    Predicate<Permission> isUsed = it -> permitted.stream().anyMatch(it::covers);
    // What a role grants is refused for a moment after the role was made or the API server started.
    Predicate<AuditedRequest> isGranted = it -> granted.stream().anyMatch(role -> role.covers(it));
    return new Seen(
        ofTheChart.stream().filter(isUsed).map(Permission::toString).toList(),
        ofTheChart.stream().filter(isUsed.negate()).map(Permission::toString).toList(),
        with(Outcome.FORBIDDEN, asked)
            .filter(isGranted.negate())
            .map(AuditedRequest::toString)
            .sorted()
            .toList(),
        with(Outcome.REJECTED, asked).map(it -> it + ": " + it.why()).sorted().toList());
  }

  private static Stream<AuditedRequest> with(Outcome outcome, Collection<AuditedRequest> asked) {
    return asked.stream().filter(it -> it.outcome() == outcome);
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
      var role = binding.path("roleRef");
      each(binding.path("subjects"))
          .flatMap(UsedPermissions::account)
          .forEach(
              account ->
                  each(objects)
                      .filter(it -> it.path("kind").equals(role.path("kind")))
                      .filter(it -> it.at("/metadata/name").equals(role.path("name")))
                      .filter(it -> isIn(binding, it))
                      .forEach(it -> permissions.addAll(of(account, binding, it))));
    }
    return permissions;
  }

  /** Of Prescale, or all accounts; none for other subjects. */
  private static Stream<String> account(JsonNode subject) {
    var name = subject.path("name").asText();
    if (name.equals("system:authenticated")) {
      return Stream.of(ANY);
    }
    return subject.path("namespace").asText().equals("prescale") && name.startsWith("prescale")
        ? Stream.of(name)
        : Stream.of();
  }

  private static boolean isIn(JsonNode binding, JsonNode role) {
    return role.path("kind").asText().equals("ClusterRole")
        || role.at("/metadata/namespace").equals(binding.at("/metadata/namespace"));
  }

  private static List<Permission> of(String account, JsonNode binding, JsonNode role) {
    var permissions = new ArrayList<Permission>();
    for (var rule : role.path("rules")) {
      for (var verb : rule.path("verbs")) {
        for (var group : rule.path("apiGroups")) {
          for (var resource : rule.path("resources")) {
            permissions.add(of(account, binding, role, rule, verb, group.asText(), resource));
          }
        }
        for (var path : rule.path("nonResourceURLs")) {
          permissions.add(of(account, binding, role, rule, verb, "", path));
        }
      }
    }
    return permissions;
  }

  private static Permission of(
      String account,
      JsonNode binding,
      JsonNode role,
      JsonNode rule,
      JsonNode verb,
      String group,
      JsonNode resource) {
    return new Permission(
        account,
        binding.at("/metadata/namespace").asText(),
        role.at("/metadata/name").asText(),
        verb.asText(),
        group,
        resource.asText(),
        each(rule.path("resourceNames")).map(JsonNode::asText).toList());
  }

  private static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
