package io.prescale.controller.web.live;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.identity.Access;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.Authentication;
import io.prescale.adapter.identity.Authenticator;
import io.prescale.adapter.identity.Authorizer;
import io.prescale.adapter.identity.CallerCredentials;
import io.prescale.adapter.identity.ReviewException;
import io.prescale.adapter.identity.ReviewTtl;
import io.prescale.adapter.identity.TokenReviewer;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.adapter.identity.User;
import io.prescale.controller.serving.ClusterAccessReviewer;
import io.prescale.controller.serving.ClusterTokenReviewer;
import io.prescale.controller.web.Gatekeeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Admits users to the page whose bearer token the cluster knows and who may list the PredictiveHPAs
 * that it shows. Decisions are cached for 10 s, as in the metrics API.
 */
public final class ReadersOfPredictiveHpas implements Gatekeeper {
  private static final String GROUP = "autoscaling.prescale.io";

  private static final ReviewTtl TTL = new ReviewTtl(Duration.ofSeconds(10));

  private final Authenticator authenticator;
  private final Authorizer authorizer;
  private final List<String> namespaces;

  /**
   * @param namespaces watched namespaces; empty for all
   */
  public ReadersOfPredictiveHpas(
      KubernetesClient client, Set<String> namespaces, InstantSource clock) {
    this(new ClusterTokenReviewer(client), new ClusterAccessReviewer(client), namespaces, clock);
  }

  ReadersOfPredictiveHpas(
      TokenReviewer tokens, AccessReviewer access, Set<String> namespaces, InstantSource clock) {
    this.authenticator =
        new Authenticator(() -> Optional.of(TrustSettings.none()), tokens, TTL, clock);
    this.authorizer = new Authorizer(access, TTL, clock);
    this.namespaces = namespaces.isEmpty() ? List.of("") : namespaces.stream().sorted().toList();
  }

  @Override
  public Verdict judge(String authorization) {
    var credentials =
        new CallerCredentials(Map.of("authorization", List.of(authorization)), List.of());
    return switch (authenticator.authenticate(credentials)) {
      case Authentication.Known(var user, _) when user.isAnonymous() ->
          new Verdict.Unknown("Sign in with a bearer token of the cluster.");
      case Authentication.Known(var user, _) -> judge(user);
      case Authentication.Refused() ->
          new Verdict.Unknown("The cluster does not know this token, or it has expired.");
      case Authentication.Unavailable(var reason) ->
          new Verdict.Undecided("The token cannot be checked now: %s.".formatted(reason));
    };
  }

  private Verdict judge(User user) {
    try {
      for (String namespace : namespaces) {
        var list =
            new Access.ToResource(
                user, "list", GROUP, "v1alpha1", "predictivehpas", "", namespace, "");
        if (!authorizer.decide(list).allowed()) {
          return new Verdict.Forbidden(
              "%s may not list predictivehpas.%s%s."
                  .formatted(
                      user.name(),
                      GROUP,
                      namespace.isEmpty() ? " of all namespaces" : " in " + namespace));
        }
      }
      return new Verdict.Admitted();
    } catch (ReviewException e) {
      return new Verdict.Undecided(
          "The access of %s cannot be checked now: %s.".formatted(user.name(), e.getMessage()));
    }
  }
}
