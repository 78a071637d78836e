package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.HttpURLConnection;
import java.util.stream.Stream;

/**
 * A request of one of Prescale's accounts, as the audit log has it.
 *
 * @param resource with its subresource, such as {@code pods/binding}; or a path of another kind,
 *     such as {@code /metrics}
 * @param why it was rejected; empty for others
 */
record AuditedRequest(
    String account,
    String verb,
    String group,
    String resource,
    String namespace,
    String name,
    Outcome outcome,
    String why) {
  /** With what the names of all accounts begin. */
  static final String ACCOUNTS = "system:serviceaccount:prescale:prescale";

  private static final int UNPROCESSABLE = 422;

  /** What the API server made of it. */
  enum Outcome {
    PERMITTED,
    /** For want of a permission. */
    FORBIDDEN,
    /** Permitted, and then refused by an admission plugin, a policy or the validation. */
    REJECTED
  }

  /** Also what the API server authorizes besides: a creation by an apply, an impersonation. */
  static Stream<AuditedRequest> of(JsonNode event) {
    return event.at("/objectRef/resource").asText().equals("subjectaccessreviews")
            && !event.at("/user/groups").toString().contains("system:masters")
        ? Stream.concat(reviewed(event), asked(event))
        : asked(event);
  }

  /** In whose name it calls another server, which lets the API server decide. */
  private static Stream<AuditedRequest> reviewed(JsonNode event) {
    var review = event.at("/requestObject/spec");
    var attributes = review.path("resourceAttributes");
    boolean isAllowed = event.at("/responseObject/status/allowed").asBoolean();
    return isAllowed
            && review.path("user").asText().startsWith(ACCOUNTS)
            && attributes.path("verb").asText().equals("impersonate")
        ? Stream.of(
            new AuditedRequest(
                lastPart(review.path("user").asText()),
                "impersonate",
                attributes.path("group").asText(),
                attributes.path("resource").asText(),
                attributes.path("namespace").asText(),
                attributes.path("name").asText(),
                Outcome.PERMITTED,
                ""))
        : Stream.of();
  }

  private static String lastPart(String user) {
    return user.substring(user.lastIndexOf(':') + 1);
  }

  private static Stream<AuditedRequest> asked(JsonNode event) {
    var user = event.at("/user/username").asText();
    if (!user.startsWith(ACCOUNTS)) {
      return Stream.of();
    }
    int code = event.at("/responseStatus/code").asInt();
    var decision = event.path("annotations").path("authorization.k8s.io/decision").asText();
    if (!decision.equals("allow")) {
      // What is neither failed before it was decided, as when the API server ends.
      return code == HttpURLConnection.HTTP_FORBIDDEN
          ? Stream.of(asked(event, user, Outcome.FORBIDDEN))
          : Stream.of();
    }
    if (event.path("objectRef").isMissingNode()) {
      return Stream.of(); // discovery, which all accounts may read
    }
    var other = event.at("/impersonatedUser/username").asText();
    if (!other.isEmpty()) {
      return Stream.of(asked(event, user, Outcome.PERMITTED).impersonating(other));
    }
    if (code == HttpURLConnection.HTTP_FORBIDDEN || code == UNPROCESSABLE) {
      return isOfAnEndingNamespace(event)
          ? Stream.of()
          : Stream.of(asked(event, user, Outcome.REJECTED));
    }
    var asked = asked(event, user, Outcome.PERMITTED);
    return code == HttpURLConnection.HTTP_CREATED
        ? Stream.of(asked, asked.creating())
        : Stream.of(asked);
  }

  /** Nothing is created in a namespace that is being deleted; no client can know it in time. */
  private static boolean isOfAnEndingNamespace(JsonNode event) {
    return event
        .at("/responseStatus/details/causes/0/reason")
        .asText()
        .equals("NamespaceTerminating");
  }

  private static AuditedRequest asked(JsonNode event, String user, Outcome outcome) {
    var object = event.path("objectRef");
    var part = object.path("subresource").asText();
    var resource =
        object.isMissingNode()
            ? event.path("requestURI").asText().split("\\?", 2)[0]
            : object.path("resource").asText() + (part.isEmpty() ? "" : "/" + part);
    return new AuditedRequest(
        lastPart(user),
        event.path("verb").asText(),
        object.path("apiGroup").asText(),
        resource,
        object.path("namespace").asText(),
        object.path("name").asText(),
        outcome,
        outcome == Outcome.REJECTED ? event.at("/responseStatus/message").asText() : "");
  }

  private AuditedRequest impersonating(String user) {
    var of = user.replaceFirst("system:serviceaccount:(.*):.*", "$1");
    return new AuditedRequest(
        account, "impersonate", "", "serviceaccounts", of, lastPart(user), Outcome.PERMITTED, "");
  }

  private AuditedRequest creating() {
    return new AuditedRequest(account, "create", group, resource, namespace, name, outcome, why);
  }

  @Override
  public String toString() {
    return PermissionList.text(account, verb, PermissionList.on(group, resource), name);
  }
}
