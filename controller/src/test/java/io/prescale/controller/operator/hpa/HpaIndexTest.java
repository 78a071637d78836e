package io.prescale.controller.operator.hpa;

import static java.util.Collections.disjoint;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBuilder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HpaIndexTest {
  /** Those of 2,000 other PredictiveHPAs. */
  private final List<HorizontalPodAutoscaler> others =
      IntStream.range(0, 2_000)
          .mapToObj(
              i ->
                  owned(
                      Hpas.users(
                          "prescale-other-" + i,
                          new CrossVersionObjectReference("apps/v1", "Deployment", "other-" + i)),
                      "uid-other-" + i))
          .toList();

  @Test
  void aTickLooksAtNoneOfTwoThousandOthers() {
    var mail = new CrossVersionObjectReference("apps/v1", "Deployment", "mail");
    var sameTarget = Hpas.users("by-cpu", Hpas.CHAT);
    var ofAnotherVersion =
        Hpas.users(
            "by-memory", new CrossVersionObjectReference("apps/v1beta1", "Deployment", "chat"));
    var named = Hpas.users("prescale-chat-7b", mail);
    var ours = owned(Hpas.users("renamed", mail), "uid-1");
    var adopted =
        new HorizontalPodAutoscalerBuilder(Hpas.users("adopted", mail))
            .editMetadata()
            .addToAnnotations(OriginalSpec.ADOPTED_BY, "chat-7b")
            .endMetadata()
            .build();
    var elsewhere =
        new HorizontalPodAutoscalerBuilder(sameTarget)
            .editMetadata()
            .withNamespace("other")
            .endMetadata()
            .build();
    var concerned = List.of(sameTarget, ofAnotherVersion, named, ours, adopted);
    var all = Stream.of(others, concerned, List.of(elsewhere)).flatMap(List::stream).toList();

    assertThat(all)
        .filteredOn(hpa -> !disjoint(HpaIndex.keys(hpa), HpaIndex.keysFor(Hpas.wish(true))))
        .containsExactlyElementsOf(concerned);
    var meta =
        new ObjectMetaBuilder().withNamespace("team").withName("chat-7b").withUid("uid-1").build();
    assertThat(all)
        .filteredOn(hpa -> !disjoint(HpaIndex.keys(hpa), HpaIndex.keysOfOwn(meta)))
        .containsExactly(ours, adopted);
  }

  private static HorizontalPodAutoscaler owned(HorizontalPodAutoscaler hpa, String uid) {
    return new HorizontalPodAutoscalerBuilder(hpa)
        .editMetadata()
        .withOwnerReferences(Hpas.owner("PredictiveHPA", "of-" + uid, uid))
        .endMetadata()
        .build();
  }
}
