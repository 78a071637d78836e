package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuLabelsTest {
  @Test
  void knowsModelAndNumberOfSharedCards() {
    var labels =
        GpuLabels.read(
            Map.of(
                "nvidia.com/gpu.product", "NVIDIA-A10-SHARED",
                "nvidia.com/gpu.count", "4",
                "nvidia.com/gpu.replicas", "10",
                "nvidia.com/gpu.sharing-strategy", "time-slicing"));

    assertThat(labels.model()).contains("NVIDIA-A10");
    assertThat(labels.units()).isEqualTo(Map.of("nvidia.com/gpu", 40L));
    assertThat(labels.problems()).isEmpty();
    assertThat(labels.contradictions(Map.of("nvidia.com/gpu.shared", 40L))).isEmpty();
    assertThat(labels.contradictions(Map.of("nvidia.com/gpu", 1L, "nvidia.com/gpu.shared", 40L)))
        .containsExactly("the kubelet offers 41 of nvidia.com/gpu, but the labels state 40.");
  }

  @Test
  void withoutSharingEveryCardIsThereOnce() {
    var labels =
        GpuLabels.read(
            Map.of(
                "nvidia.com/gpu.count", "4",
                "nvidia.com/gpu.replicas", "10",
                "nvidia.com/gpu.sharing-strategy", "none"));

    assertThat(labels.units()).isEqualTo(Map.of("nvidia.com/gpu", 4L));
    assertThat(labels.contradictions(Map.of("nvidia.com/gpu", 3L)))
        .as("a sick card is offered no more")
        .isEmpty();
  }

  @Test
  void knowsMigInstancesByTheirResource() {
    var labels =
        GpuLabels.read(
            Map.of(
                "nvidia.com/mig.strategy", "mixed",
                "nvidia.com/gpu.count", "1",
                "nvidia.com/mig-1g.10gb.count", "7",
                "nvidia.com/mig-1g.10gb.replicas", "2"));

    assertThat(labels.units()).isEqualTo(Map.of("nvidia.com/mig-1g.10gb", 14L));
    assertThat(labels.contradictions(Map.of("nvidia.com/gpu", 8L, "nvidia.com/mig-1g.10gb", 15L)))
        .containsExactly(
            "the kubelet offers 15 of nvidia.com/mig-1g.10gb, but the labels state 14.");
  }

  @Test
  void complainsInTheOrderOfTheLabels() {
    var labels =
        GpuLabels.read(
            Map.of(
                "nvidia.com/mig-1g.5gb.count", "x",
                "nvidia.com/mig-2g.10gb.count", "x",
                "nvidia.com/mig-3g.20gb.count", "x",
                "nvidia.com/mig-4g.20gb.count", "1",
                "nvidia.com/mig-7g.40gb.count", "1",
                "nvidia.com/gpu.count", "1"));

    assertThat(labels.problems())
        .containsExactly(
            "the label nvidia.com/mig-1g.5gb.count is \"x\"; give a whole number from 0.",
            "the label nvidia.com/mig-2g.10gb.count is \"x\"; give a whole number from 0.",
            "the label nvidia.com/mig-3g.20gb.count is \"x\"; give a whole number from 0.");
    assertThat(
            labels.contradictions(
                Map.of(
                    "nvidia.com/gpu", 2L,
                    "nvidia.com/mig-4g.20gb", 2L,
                    "nvidia.com/mig-7g.40gb", 2L)))
        .containsExactly(
            "the kubelet offers 2 of nvidia.com/gpu, but the labels state 1.",
            "the kubelet offers 2 of nvidia.com/mig-4g.20gb, but the labels state 1.",
            "the kubelet offers 2 of nvidia.com/mig-7g.40gb, but the labels state 1.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5", "99999999", "eight", " 8"})
  void saysWhichNumberIsNone(String count) {
    var labels = GpuLabels.read(Map.of("nvidia.com/gpu.count", count));

    assertThat(labels.units()).isEmpty();
    assertThat(labels.problems())
        .containsExactly(
            "the label nvidia.com/gpu.count is \"%s\"; give a whole number from 0."
                .formatted(count));
  }

  @Test
  void isNotComparedWhereCardsAreRegistered() {
    var registered = Nodes.a100("n", 2);
    var labelled =
        new NodeFacts(
            "n",
            Map.of("nvidia.com/gpu.count", "2"),
            registered.annotations(),
            registered.allocatable(),
            true,
            false);

    assertThat(Nodes.inventory(labelled).problems()).isEmpty();
    assertThat(
            Nodes.inventory(
                    new NodeFacts(
                        "n", labelled.labels(), Map.of(), labelled.allocatable(), true, false))
                .problems())
        .containsExactly("the kubelet offers 20 of nvidia.com/gpu, but the labels state 2.");
  }
}
