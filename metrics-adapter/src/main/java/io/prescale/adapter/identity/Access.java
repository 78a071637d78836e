package io.prescale.adapter.identity;

/** An access that a user requests. */
public sealed interface Access {
  /** The user who requests it. */
  User user();

  /** The verb: {@code list}, {@code get}, {@code delete}… */
  String verb();

  /**
   * An access to a resource.
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

  /** An access to a path that is not a resource. */
  record ToPath(User user, String verb, String path) implements Access {}
}
