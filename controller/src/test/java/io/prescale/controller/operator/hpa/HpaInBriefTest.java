package io.prescale.controller.operator.hpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import io.prescale.controller.cluster.BriefObjects;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HpaInBriefTest {
  private static final String MUCH = "x".repeat(100_000);

  @Test
  void annotationsOfOthersHoldNoMemoryAndAllIsFoundAsBefore() {
    var hpa = hpa("chat", Map.of("note", MUCH, OriginalSpec.ADOPTED_BY, "chat"));

    var brief = HpaInBrief.of(hpa);

    assertThat(brief.toString()).hasSizeLessThan(3_000);
    assertThat(brief.getSpec()).isEqualTo(hpa.getSpec());
    assertThat(HpaIndex.keys(brief)).isEqualTo(HpaIndex.keys(hpa)).hasSize(4);
    assertThat(brief.getMetadata().getResourceVersion()).isEqualTo("7");
  }

  @Test
  void oneThatIsTooLargeAllTheSameCountsAsAbsent() {
    var store = BriefObjects.small(HpaInBrief::of);

    store.put("team/chat", hpa("chat", Map.of("note", MUCH)));
    assertThat(store.get("team/chat")).isNotNull();
    store.put("team/chat", hpa(MUCH, Map.of()));
    assertThat(store.get("team/chat")).isNull();
    store.put("team/chat", hpa("chat", Map.of(OriginalSpec.ORIGINAL_SPEC, MUCH)));
    assertThat(store.get("team/chat")).isNull();
  }

  private static HorizontalPodAutoscaler hpa(String target, Map<String, String> annotations) {
    return new HorizontalPodAutoscalerBuilder()
        .withNewMetadata()
        .withNamespace("team")
        .withName("by-cpu")
        .withResourceVersion("7")
        .withAnnotations(annotations)
        .addToLabels("note", MUCH)
        .addNewManagedField()
        .withManager(MUCH)
        .endManagedField()
        .addNewOwnerReference()
        .withUid("u")
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withMaxReplicas(3)
        .withNewScaleTargetRef("apps/v1", "Deployment", target)
        .endSpec()
        .build();
  }
}
