package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written of a Deployment that had six replicas and was left five. */
class ScaledReplicasTest {
  private static GenericKubernetesResource deployment(String before, String left, int replicas) {
    return ApiWithoutRepetition.workload(
        "Deployment",
        """
        , annotations: {gpu.prescale.io/replicas-before: "%s", gpu.prescale.io/replicas-left: "%s"}\
        """
            .formatted(before, left),
        "{replicas: %d}".formatted(replicas));
  }

  @ParameterizedTest
  @CsvSource({"5, true", "6, false", "4, false", "7, false"})
  void itIsToHaveThemAgainUnlessItsOwnerHasScaledIt(int replicas, boolean isDown) {
    var object = deployment("6", "5", replicas);

    assertThat(SuspendableKind.DEPLOYMENT.isSuspended(object)).isEqualTo(isDown);
    var brief = SuspendedInBrief.of(object);
    assertThat(SuspendableKind.DEPLOYMENT.isSuspended(brief)).isEqualTo(isDown);
    if (isDown) {
      assertThat(SuspendableKind.DEPLOYMENT.resumption(brief))
          .isEqualTo(Map.of("spec", Map.of("replicas", 6)));
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 5", "6, ''", "six, 5", "99999999999, 5", "5, 5", "4, 5", "NaN, 5"})
  void whatMakesNoSenseIsNotUndone(String before, String left) {
    assertThat(ScaledReplicas.of(deployment(before, left, 5))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "", "two", "1.5", "99999999", " 2", "NaN"})
  void aMinimumThatMakesNoSenseIsNone(String written) {
    var pod = ApiWithoutRepetition.pod("p", Map.of(Elasticity.MINIMUM, written));

    assertThat(PodTerms.of(pod).elasticity()).isEmpty();
  }

  @Test
  void aGroupOfALeaderWorkerSetKnowsItsPlace() {
    var pod =
        new PodBuilder(ApiWithoutRepetition.pod("p", Map.of(Elasticity.MINIMUM, "2")))
            .editMetadata()
            .addToLabels("leaderworkerset.sigs.k8s.io/group-index", "1")
            .endMetadata()
            .build();

    assertThat(PodTerms.of(pod).elasticity()).contains(new Elasticity(2, OptionalInt.of(1)));
    assertThat(new Elasticity(2, OptionalInt.of(1)).isKept()).isTrue();
    assertThat(new Elasticity(2, OptionalInt.of(2)).isKept()).isFalse();
    assertThat(new Elasticity(2, OptionalInt.empty()).isKept()).isFalse();
  }
}
