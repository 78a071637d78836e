package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.ClusterException;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/** What became of giving the external metrics API back to the adapter that had it before. */
public sealed interface ApiReturn {
  /**
   * Given back.
   *
   * @param owner the adapter that has it again, as namespace/name
   */
  record To(String owner) implements ApiReturn {}

  /** Prescale had made the APIService itself, with no adapter before it; it is deleted. */
  record Removed() implements ApiReturn {}

  /** There is no record of an adapter from which Prescale took it; nothing was changed. */
  record Nothing() implements ApiReturn {}

  /**
   * Gives the API back. Replicas that run at that time do not take it again.
   *
   * @throws ClusterException when the API server cannot be reached or refuses
   */
  static ApiReturn in(ClusterAccess cluster, Instant now)
      throws ClusterException, IOException, InterruptedException {
    return cluster.work(client -> with(client, now));
  }

  static ApiReturn with(KubernetesClient client, Instant now) {
    var there = client.apiServices().withName(ApiServiceRegistration.NAME).get();
    var owner = Optional.ofNullable(there).flatMap(FormerOwner::keptBy);
    if (owner.isEmpty()) {
      var labels = there == null ? null : there.getMetadata().getLabels();
      if (labels == null || !"prescale".equals(labels.get(ApiServiceRegistration.MADE_BY))) {
        return new Nothing();
      }
      client.apiServices().resource(there).delete();
      return new Removed();
    }
    var isBack = FormerOwner.of(there).filter(owner.get()::isSameServiceAs).isPresent();
    var restored =
        new APIServiceBuilder(isBack ? FormerOwner.unmarked(there) : owner.get().restored(there))
            .editMetadata()
            .addToAnnotations(ApiServiceRegistration.GIVEN_BACK, now.toString())
            .endMetadata()
            .build();
    client.apiServices().resource(restored).update();
    return new To(owner.get().toString());
  }
}
