package io.prescale.adapter.identity;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The identity of a user in Kubernetes.
 *
 * @param name never empty
 * @param uid may be empty
 * @param extra further attributes by their lower-case key
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** The group of the superusers, who need no review. */
  public static final String MASTERS = "system:masters";

  static final String AUTHENTICATED = "system:authenticated";
  private static final String UNAUTHENTICATED = "system:unauthenticated";
  static final User ANONYMOUS =
      new User("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  public User {
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a user needs a name");
    }
    groups = List.copyOf(groups);
    extra =
        Map.copyOf(
            extra.entrySet().stream()
                .collect(
                    Collectors.toMap(
                        Map.Entry::getKey,
                        values -> List.copyOf(values.getValue()),
                        (first, _) -> first,
                        TreeMap::new)));
  }

  /** Whether this is the user of a request without credentials. */
  public boolean isAnonymous() {
    return groups.contains(UNAUTHENTICATED);
  }

  /** The same user as a member of {@code system:authenticated}. */
  User authenticated() {
    return groups.contains(AUTHENTICATED)
        ? this
        : new User(
            name, uid, Stream.concat(groups.stream(), Stream.of(AUTHENTICATED)).toList(), extra);
  }
}
