package io.prescale.controller.scheduler.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written about the pods of a suspended workload, and what is read whatever is written. */
class SuspendedPodsTest {
  private static final Suspendable WORKLOAD =
      new Suspendable(SuspendableKind.JOB_SET, "default", "j", "uid-j");
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  private static PodFacts pod(String name, long cards, Map<String, String> annotations) {
    var pod = Pods.inQueue(Pods.asking(name, Map.of("nvidia.com/gpu", cards)), "training", NOW);
    return Pods.bound(pod, "node", annotations);
  }

  @Test
  void podsThatAskedForTheSameAreWrittenOnce() {
    var workers = IntStream.range(0, 3).mapToObj(i -> pod("w" + i, 8, Map.of())).toList();
    var all = new ArrayList<>(workers);
    all.add(pod("head", 1, Map.of("nvidia.com/use-gputype", "A100", "other", "x")));

    var read = SuspendedPods.read(SuspendedPods.of(all).text()).orElseThrow();

    assertThat(read).isEqualTo(SuspendedPods.of(all));
    assertThat(read.alike()).extracting(SuspendedPods.Alike::pods).containsExactly(1, 3);
    assertThat(read.templates(WORKLOAD))
        .extracting(PodFacts::queue)
        .containsExactly(Optional.of("training"), Optional.of("training"));
    assertThat(read.templates(WORKLOAD).getFirst().annotations())
        .isEqualTo(Map.of("nvidia.com/use-gputype", "A100"));
    assertThat(read.templates(WORKLOAD).getLast().containers())
        .extracting(PodFacts.Container::asked)
        .containsExactly(Map.of("nvidia.com/gpu", 8L));
  }

  @Test
  void theCardsThatAPodHadAreNotWhatItAskedFor() {
    var pod = pod("p", 1, Map.of("hami.io/vgpu-devices-allocated", "GPU-0,NVIDIA,81920,100:;"));

    assertThat(SuspendedPods.of(List.of(pod)).text()).doesNotContain("GPU-0");
  }

  @Test
  void ofManyPodsSixtyFourAreWritten() {
    var many = IntStream.range(0, 1000).mapToObj(i -> pod("p" + i, 1, Map.of())).toList();

    assertThat(SuspendedPods.of(many).alike())
        .extracting(SuspendedPods.Alike::pods)
        .containsExactly(64);
  }

  @Test
  void hugeAnnotationsOfPodsAreLeftOut() {
    var huge = Map.of("nvidia.com/use-gpuuuid", "x".repeat(100_000));
    var text = SuspendedPods.of(List.of(pod("p", 2, huge))).text();

    assertThat(text).hasSizeLessThan(200);
    assertThat(SuspendedPods.read(text)).isPresent();
  }

  @Test
  void ofManyKindsOfPodsAsManyAreWrittenAsThereIsRoomFor() {
    var different =
        IntStream.range(0, 64)
            .mapToObj(i -> Pods.asking("p" + i, Map.of("x".repeat(200) + "/gpu" + i, 1L)))
            .toList();
    var text = SuspendedPods.of(different).text();

    assertThat(text).hasSizeLessThan(8 * 1024);
    assertThat(SuspendedPods.read(text).orElseThrow().alike()).hasSizeBetween(20, 40);
  }

  /** Its workload would go on at once, so its pods are evicted instead. */
  @Test
  void onePodThatSaysMoreThanThereIsRoomForIsTooLong() {
    var containers = Pods.asking("p", Map.of("x".repeat(9000) + "/gpu", 1L));

    assertThat(SuspendedPods.of(List.of(containers)).isTooLong()).isTrue();
    assertThat(SuspendedPods.of(List.of(pod("p", 1, Map.of()))).isTooLong()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "3",
        "null",
        "[]",
        "[null]",
        "{}",
        "[{}]",
        "[{\"pods\":1}]",
        "[{\"pods\":0,\"annotations\":{},\"containers\":[]}]",
        "[{\"pods\":65,\"annotations\":{},\"containers\":[]}]",
        "[{\"pods\":1e99,\"annotations\":{},\"containers\":[]}]",
        "[{\"pods\":1,\"annotations\":{\"a\":null},\"containers\":[]}]",
        "[{\"pods\":1,\"annotations\":{},\"containers\":[null]}]",
        "[{\"pods\":1,\"annotations\":{},\"containers\":[{\"init\":false,\"asked\":{\"a/b\":-1}}]}]",
        "[{\"pods\":1,\"annotations\":{},\"containers\":[{\"asked\":{\"a/b\":99999999999999999999}}]}]",
        "[{\"pods\":64,\"annotations\":{},\"containers\":[]},{\"pods\":1,\"annotations\":{},\"containers\":[]}]",
        "[[[[[[[[[[",
      })
  void whatMakesNoSenseIsNothing(String text) {
    assertThat(SuspendedPods.read(text)).isEmpty();
  }

  @Test
  void aTextThatIsTooLongIsNotEvenRead() {
    assertThat(SuspendedPods.read("[".repeat(250_000))).isEmpty();
  }
}
