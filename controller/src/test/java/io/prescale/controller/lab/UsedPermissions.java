package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Which permissions of the chart's roles Prescale has used, and which requests were refused for
 * want of one, by the audit logs of all laboratories since the last {@code clean}. Each adds to one
 * file at its end; this program sums it up.
 */
final class UsedPermissions {
  private static final Path FILE = Checkout.root().resolve("controller/target/lab/permissions.tsv");
  private static final String ACCOUNTS = "system:serviceaccount:prescale:prescale";
  private static final ObjectMapper JSON = new ObjectMapper();

  private UsedPermissions() {}

  /** What was asked for; the resource with its subresource, such as {@code pods/binding}. */
  private record Request(
      String account, String verb, String group, String resource, String name, boolean allowed) {
    static Stream<Request> of(JsonNode event) {
      var object = event.path("objectRef");
      var user = event.at("/user/username").asText();
      if (object.isMissingNode() || !user.startsWith(ACCOUNTS)) {
        return Stream.of();
      }
      var account = user.substring(user.lastIndexOf(':') + 1);
      var kind = object.path("resource").asText();
      var part = object.path("subresource").asText();
      boolean allowed =
          !event
              .path("annotations")
              .path("authorization.k8s.io/decision")
              .asText()
              .equals("forbid");
      var asked =
          new Request(
              account,
              event.path("verb").asText(),
              object.path("apiGroup").asText(),
              part.isEmpty() ? kind : kind + "/" + part,
              object.path("name").asText(),
              allowed);
      var other = event.at("/impersonatedUser/username").asText();
      var name = other.substring(other.lastIndexOf(':') + 1);
      return other.isEmpty()
          ? Stream.of(asked)
          : Stream.of(new Request(account, "impersonate", "", "serviceaccounts", name, true));
    }
  }

  /** One verb on one resource, as a role of an account grants it. */
  private record Permission(
      String account, String role, String verb, String group, String resource, List<String> names) {
    boolean covers(Request request) {
      return request.allowed()
          && account.equals(request.account())
          && verb.equals(request.verb())
          && (group.equals("*") || group.equals(request.group()))
          && (resource.equals(request.resource())
              || (resource.startsWith("*/") && request.resource().endsWith(resource.substring(1))))
          && (names.isEmpty() || names.contains(request.name()));
    }

    @Override
    public String toString() {
      var on = group.isEmpty() ? resource : resource + "." + group;
      return role + ": " + verb + " " + on + (names.isEmpty() ? "" : " " + names.getFirst());
    }
  }

  /** Adds what a laboratory has seen, before it ends; nothing where Prescale was not installed. */
  static void add(Lab lab) throws IOException, InterruptedException {
    var objects =
        JSON.readTree(
            lab.kubectl(
                "get",
                "clusterrolebindings,rolebindings,clusterroles,roles",
                "--all-namespaces",
                "--output=json"));
    var granted = granted(objects.path("items"));
    if (granted.isEmpty()) {
      return;
    }
    var asked = new HashSet<Request>();
    for (var event : AuditLog.events(lab, ACCOUNTS)) {
      Request.of(event).forEach(asked::add);
    }
    var lines = new TreeSet<String>();
    granted.forEach(
        it -> lines.add((asked.stream().anyMatch(it::covers) ? "used" : "granted") + "\t" + it));
    asked.stream()
        .filter(it -> !it.allowed())
        .forEach(it -> lines.add("refused\t" + it + "\t" + lab.describe().folder().getFileName()));
    Files.createDirectories(FILE.getParent());
    Files.writeString( // at once, beside another process that adds its own
        FILE,
        String.join("\n", lines) + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  private static List<Permission> granted(JsonNode objects) {
    var permissions = new ArrayList<Permission>();
    for (var binding : objects) {
      for (var subject : binding.path("subjects")) {
        if (binding.path("kind").asText().endsWith("Binding")
            && ("system:serviceaccount:"
                    + subject.path("namespace").asText()
                    + ":"
                    + subject.path("name").asText())
                .startsWith(ACCOUNTS)) {
          var role = binding.path("roleRef");
          each(objects)
              .filter(it -> it.path("kind").equals(role.path("kind")))
              .filter(it -> it.at("/metadata/name").equals(role.path("name")))
              .filter(it -> isIn(binding, it))
              .forEach(it -> permissions.addAll(of(subject.path("name").asText(), it)));
        }
      }
    }
    return permissions;
  }

  private static boolean isIn(JsonNode binding, JsonNode role) {
    return role.path("kind").asText().equals("ClusterRole")
        || role.at("/metadata/namespace").equals(binding.at("/metadata/namespace"));
  }

  /** None of the roles that Kubernetes itself has. */
  private static List<Permission> of(String account, JsonNode role) {
    var name = role.at("/metadata/name").asText();
    var permissions = new ArrayList<Permission>();
    if (name.startsWith("prescale")) {
      for (var rule : role.path("rules")) {
        for (var group : rule.path("apiGroups")) {
          for (var resource : rule.path("resources")) {
            for (var verb : rule.path("verbs")) {
              permissions.add(
                  new Permission(
                      account,
                      name,
                      verb.asText(),
                      group.asText(),
                      resource.asText(),
                      each(rule.path("resourceNames")).map(JsonNode::asText).toList()));
            }
          }
        }
      }
    }
    return permissions;
  }

  private static Stream<JsonNode> each(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /** Prints what no laboratory has used, and what was refused. */
  public static void main(String[] args) throws IOException {
    Set<String> used = new TreeSet<>();
    Set<String> unused = new TreeSet<>();
    Set<String> refused = new TreeSet<>();
    for (var line : Files.readAllLines(FILE)) {
      var parts = line.split("\t", 2);
      switch (parts[0]) {
        case "used" -> used.add(parts[1]);
        case "granted" -> unused.add(parts[1]);
        default -> refused.add(parts[1]);
      }
    }
    unused.removeAll(used);
    System.out.printf("%d permissions are used, %d are not:%n", used.size(), unused.size());
    unused.forEach(System.out::println);
    System.out.printf("%n%d requests were refused:%n", refused.size());
    refused.forEach(System.out::println);
  }
}
