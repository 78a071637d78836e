package io.prescale.adapter.identity;

import java.util.Optional;

/** An access that a user requests. */
public sealed interface Access {
  /** The user who requests it. */
  User user();

  /**
   * The access to all resources of the group in all namespaces, which includes this one, where that
   * is worth asking first: of external metrics, each of which is a resource.
   */
  default Optional<Access> toAllOfItsGroup() {
    return Optional.empty();
  }

  /**
   * An access to a resource.
   *
   * @param verb {@code list}, {@code get}, {@code delete}…
   * @param resource {@code *} for all
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
      implements Access {
    private static final String EXTERNAL_METRICS = "external.metrics.k8s.io";

    @Override
    public Optional<Access> toAllOfItsGroup() {
      return group.equals(EXTERNAL_METRICS)
          ? Optional.of(new ToResource(user, verb, group, version, "*", "", "", ""))
          : Optional.empty();
    }
  }

  /** An access to a path that is not a resource. */
  record ToPath(User user, String verb, String path) implements Access {}
}
