package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.adapter.identity.ReviewException;
import io.prescale.adapter.identity.TokenReviewer;
import io.prescale.adapter.identity.User;
import io.prescale.controller.cluster.ApiFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reviews tokens by {@code TokenReview}, which the role system:auth-delegator allows. */
public final class ClusterTokenReviewer implements TokenReviewer {

  private final KubernetesClient client;

  public ClusterTokenReviewer(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Optional<User> review(String token) throws ReviewException {
    try {
      var review =
          client
              .tokenReviews()
              .create(new TokenReviewBuilder().withNewSpec().withToken(token).endSpec().build());
      var status = review.getStatus();
      if (status == null || !Boolean.TRUE.equals(status.getAuthenticated())) {
        return Optional.empty();
      }
      var user = status.getUser();
      if (user == null || Objects.requireNonNullElse(user.getUsername(), "").isEmpty()) {
        return Optional.empty();
      }
      return Optional.of(
          new User(
              user.getUsername(),
              Objects.requireNonNullElse(user.getUid(), ""),
              Objects.requireNonNullElse(user.getGroups(), List.of()),
              Objects.requireNonNullElse(user.getExtra(), Map.of())));
    } catch (KubernetesClientException e) {
      throw new ReviewException("the cluster did not review the token: " + ApiFailure.text(e), e);
    }
  }
}
