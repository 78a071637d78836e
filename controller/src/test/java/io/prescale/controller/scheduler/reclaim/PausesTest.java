package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.MockApi;
import io.prescale.placement.notice.ReclaimStep;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@MockApi
@NullUnmarked // the extension sets the client
class PausesTest {
  private static final String GROUP = "leaderworkerset.sigs.k8s.io/group-index";
  private static final ReclaimStep ASK = new ReclaimStep.Ask("claim");

  private KubernetesClient client;

  @Test
  void theLastGroupsLeaveFirstAndOtherStepsKeepTheirPlaces() {
    var pauses =
        new Pauses(
            new ReclaimWriter(client),
            new InstalledKinds(client, Runnable::run),
            uid -> Optional.of(pod(uid)));

    var steps = pauses.lastGroupsFirst(List.of(shrink("1"), ASK, shrink("3", "4"), shrink("2")));

    assertThat(steps).containsExactly(shrink("3", "4"), ASK, shrink("2"), shrink("1"));
  }

  @Test
  void withoutOrdinalsTheOrderStays() {
    var pauses =
        new Pauses(
            new ReclaimWriter(client),
            new InstalledKinds(client, Runnable::run),
            _ -> Optional.empty());
    var steps = List.of(shrink("1"), shrink("2"), ASK);

    assertThat(pauses.lastGroupsFirst(steps)).isEqualTo(steps);
    assertThat(pauses.lastGroupsFirst(List.of())).isEmpty();
  }

  private static ReclaimStep shrink(String... uids) {
    return new ReclaimStep.Shrink("workload", Set.of(uids), "claim of " + uids[0]);
  }

  /** Its UID is the ordinal of its group. */
  private static PodTerms pod(String uid) {
    return PodTerms.of(
        new PodBuilder(ApiWithoutRepetition.pod("p" + uid, Map.of(Elasticity.MINIMUM, "0")))
            .editMetadata()
            .addToLabels(GROUP, uid)
            .endMetadata()
            .build());
  }
}
