package io.prescale.controller.lab;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the roles in the chart's templates grant Prescale's accounts with any values: without Helm,
 * by reading each branch of a template as if it were taken.
 */
final class ChartRoles {
  private static final Set<String> OF_OTHER_ACCOUNTS =
      Set.of("prescale-edit", "prescale-view", "prescale-metrics-reader");

  /** What stands for a value: its default, or the first of many. */
  private static final List<String[]> VALUES =
      List.of(
          new String[] {"\\{\\{ \\$caller \\| last }}", "horizontal-pod-autoscaler"},
          new String[] {"\\{\\{ include \"prescale.tlsSecret\" \\. }}", "prescale-tls"},
          new String[] {"\\{\\{ printf \"%02d\" \\$\\w+ }}", "00"},
          new String[] {"\\{\\{ printf \"%03d\" \\$\\w+ }}", "000"});

  private static final Pattern FILE_NAME =
      Pattern.compile("\\$name := (?:printf \"%s([-a-z]+)\" \\()?include \"prescale.name\" \\.");
  private static final Pattern NAME = Pattern.compile("  name: (\\S+)");
  private static final Pattern RULES = Pattern.compile("\\{\\{- define \"(\\S+Rules)\" -}}");
  private static final Pattern LIST = Pattern.compile(" *(?:- )?(\\w+): \\[([^\\[\\]]*)]");
  private static final Pattern FIRST_OF_MANY = Pattern.compile(" +- (\\S+)");

  private final String text;
  private final Set<String> found = new TreeSet<>();
  private String role = "";
  private List<String> groups = List.of();
  private List<String> resources = List.of();
  private String name = "";
  private boolean areNamesNext;

  private ChartRoles(String text) {
    this.text = text;
  }

  /** All of them. */
  static Set<String> permissions() throws IOException {
    var permissions = new TreeSet<String>();
    try (var files = Files.walk(Helm.CHART.resolve("templates"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        permissions.addAll(of(file));
      }
    }
    return permissions;
  }

  private static Set<String> of(Path file) throws IOException {
    var text = Files.readString(file);
    if (!text.contains("verbs:")) {
      return Set.of();
    }
    for (var value : VALUES) {
      text = text.replaceAll(value[0], value[1]);
    }
    var suffix = FILE_NAME.matcher(text);
    if (!suffix.find()) {
      throw new IllegalStateException(file + " grants something, and has no $name");
    }
    var name = "prescale" + (suffix.group(1) == null ? "" : suffix.group(1));
    var roles = new ChartRoles(text.replace("{{ $name }}", name));
    roles.text.lines().forEach(line -> roles.read(line, name));
    return roles.found;
  }

  private void read(String line, String file) {
    var named = NAME.matcher(line);
    var rules = RULES.matcher(line);
    var list = LIST.matcher(line);
    var first = FIRST_OF_MANY.matcher(line);
    if (named.matches()) {
      role = named.group(1);
    } else if (rules.matches()) {
      role = file + suffixOfTheRoleWith(rules.group(1));
    } else if (line.endsWith(" resourceNames:")) {
      areNamesNext = true;
    } else if (areNamesNext && first.matches()) {
      areNamesNext = false;
      name = first.group(1);
    } else if (list.matches()) {
      read(list.group(1), Stream.of(list.group(2).split(", ", -1)).map(ChartRoles::bare).toList());
    } else if (line.contains("verbs:")) {
      throw new IllegalStateException("cannot read " + line);
    }
  }

  private void read(String key, List<String> values) {
    switch (key) {
      case "apiGroups" -> {
        groups = values;
        name = "";
      }
      case "resources" -> resources = values;
      case "resourceNames" -> name = values.getFirst();
      case "verbs" -> values.forEach(this::grant);
      default -> {}
    }
  }

  private void grant(String verb) {
    if (!OF_OTHER_ACCOUNTS.contains(role)) {
      for (var group : groups) {
        for (var resource : resources) {
          var on = Stream.of(resource, group).filter(it -> !it.isEmpty()).collect(joining("."));
          found.add(PermissionList.text(role, verb, on, name));
        }
      }
    }
  }

  /** Where rules are defined apart from the roles that have them. */
  private String suffixOfTheRoleWith(String rules) {
    var use =
        Pattern.compile(
            "\"name\" (?:\\(printf \"%s([-a-z]+)\" \\$name\\)|\\$name) \"rules\" \\(include \""
                + Pattern.quote(rules));
    var found = use.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("no role has " + rules);
    }
    return found.group(1) == null ? "" : found.group(1);
  }

  private static String bare(String value) {
    return value.replace("\"", "");
  }
}
