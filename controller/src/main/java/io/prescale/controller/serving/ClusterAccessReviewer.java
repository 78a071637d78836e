package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.adapter.identity.Access;
import io.prescale.adapter.identity.AccessReviewer;
import io.prescale.adapter.identity.ReviewException;
import io.prescale.controller.cluster.ApiFailure;
import java.util.Objects;

/** Reviews accesses by {@code SubjectAccessReview}, which the role system:auth-delegator allows. */
public final class ClusterAccessReviewer implements AccessReviewer {

  private final KubernetesClient client;

  public ClusterAccessReviewer(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public Decision review(Access access) throws ReviewException {
    var user = access.user();
    var spec =
        new SubjectAccessReviewSpecBuilder()
            .withUser(user.name())
            .withUid(user.uid())
            .withGroups(user.groups())
            .withExtra(user.extra());
    switch (access) {
      case Access.ToPath path ->
          spec.withNewNonResourceAttributes()
              .withPath(path.path())
              .withVerb(path.verb())
              .endNonResourceAttributes();
      case Access.ToResource resource ->
          spec.withNewResourceAttributes()
              .withVerb(resource.verb())
              .withGroup(resource.group())
              .withVersion(resource.version())
              .withResource(resource.resource())
              .withSubresource(resource.subresource())
              .withNamespace(resource.namespace())
              .withName(resource.name())
              .endResourceAttributes();
    }
    try {
      var review =
          client
              .authorization()
              .v1()
              .subjectAccessReview()
              .create(new SubjectAccessReviewBuilder().withSpec(spec.build()).build());
      var status = review.getStatus();
      return status == null
          ? new Decision(false, "the cluster gave no decision")
          : new Decision(
              Boolean.TRUE.equals(status.getAllowed()) && !Boolean.TRUE.equals(status.getDenied()),
              Objects.requireNonNullElse(status.getReason(), ""));
    } catch (KubernetesClientException e) {
      throw new ReviewException("the cluster did not review the access: " + ApiFailure.text(e), e);
    }
  }
}
