package io.prescale.controller.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The permissions that the chart's roles grant Prescale with all values that widen them, and for
 * each the class of laboratory tests that uses it in each of its runs.
 */
final class PermissionList {
  static final String FILE = "permissions.csv";

  private PermissionList() {}

  /** As it is named in all messages; by the first of the objects' names if they are limited. */
  static String text(String roleOrAccount, String verb, String resource, String name) {
    return "%s: %s %s %s".formatted(roleOrAccount, verb, resource, name).strip();
  }

  /** As kubectl names a resource. */
  static String on(String group, String resource) {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  /** The test classes by permission. */
  static Map<String, String> read() {
    return lines().stream()
        .map(line -> line.split(",", -1))
        .collect(Collectors.toUnmodifiableMap(it -> text(it[0], it[1], it[2], it[3]), it -> it[4]));
  }

  /** What a test class uses. */
  static Set<String> of(Class<?> test) {
    return read().entrySet().stream()
        .filter(it -> it.getValue().equals(test.getSimpleName()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Each with role, verb, resource, name and test class. */
  static List<String> lines() {
    var resource = Objects.requireNonNull(PermissionList.class.getResourceAsStream(FILE));
    try (var reader = new BufferedReader(new InputStreamReader(resource, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
