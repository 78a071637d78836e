package io.prescale.adapter.api;

import io.prescale.adapter.identity.Access;

/** Describes a denied access in the generic server's words. */
final class ForbiddenFailure {
  private ForbiddenFailure() {}

  static Failure of(Access access, String reason) {
    var because = reason.isEmpty() ? "" : ": " + reason;
    return switch (access) {
      case Access.ToPath(var user, var verb, var path) ->
          Failure.forbidden(
              "forbidden: User %s cannot %s path %s%s"
                  .formatted(
                      JsonWriter.quoted(user.name()), verb, JsonWriter.quoted(path), because),
              "",
              "");
      case Access.ToResource resource ->
          Failure.forbidden(
              "%s.%s%s is forbidden: User %s cannot %s resource %s in API group %s %s%s"
                  .formatted(
                      resource.resource(),
                      resource.group(),
                      resource.name().isEmpty() ? "" : " " + JsonWriter.quoted(resource.name()),
                      JsonWriter.quoted(resource.user().name()),
                      resource.verb(),
                      JsonWriter.quoted(full(resource)),
                      JsonWriter.quoted(resource.group()),
                      resource.namespace().isEmpty()
                          ? "at the cluster scope"
                          : "in the namespace " + JsonWriter.quoted(resource.namespace()),
                      because),
              resource.group(),
              resource.resource());
    };
  }

  private static String full(Access.ToResource resource) {
    return resource.subresource().isEmpty()
        ? resource.resource()
        : resource.resource() + "/" + resource.subresource();
  }
}
