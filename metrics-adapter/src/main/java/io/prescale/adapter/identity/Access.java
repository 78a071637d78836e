package io.prescale.adapter.identity;

/** Something that a user wants to do. */
public sealed interface Access {
  /** Who wants it. */
  User user();

  /** How: {@code list}, {@code get}, {@code delete}… */
  String verb();

  /**
   * To a resource.
   *
   * @param namespace empty for all
   * @param name empty for a collection
   * @param subresource empty for the resource itself
   */
  record ToResource(
      User user,
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name)
      implements Access {}

  /** To a path that is no resource. */
  record ToPath(User user, String verb, String path) implements Access {}
}
