package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.prescale.controller.lab.Lab.Verb;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A burst of pods of four vendors, in the middle of which something dies or goes away: no pod is
 * stuck, no lock is left, and what is written in the pods promises no card twice.
 */
@Tag("long")
class ExtenderFailuresLabIT {
  private static final int NODES_OF_A_VENDOR = 5;
  private static final int BURST = 140;

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(NODES_OF_A_VENDOR);

  @Test
  void aBurstSurvivesTheDeathOfTheExtender() throws Exception {
    beginBurst();
    EXTENDER.running().kill();
    int atDeath = cluster().bound();
    EXTENDER.startAgain("extender-again");

    assertThat(atDeath).as("killed in the middle").isLessThan(BURST);
    assertBurstIsServed();
  }

  @Test
  void aBurstSurvivesTheDeathOfTheApiServer() throws Exception {
    beginBurst();
    int atDeath = cluster().bound();
    cluster().lab().command("kube-apiserver", Verb.KILL);
    cluster().lab().command("kube-apiserver", Verb.START);

    assertThat(atDeath).as("killed in the middle").isLessThan(BURST);
    assertBurstIsServed();
  }

  @Test
  void aBurstSurvivesTheDeathOfTheScheduler() throws Exception {
    beginBurst();
    cluster().lab().command("kube-scheduler", Verb.KILL);
    int atDeath = cluster().bound();
    cluster().lab().command("kube-scheduler", Verb.START);

    assertThat(atDeath).as("killed in the middle").isLessThan(BURST);
    assertBurstIsServed();
  }

  @Test
  void nodesThatGoAndACardThatFallsIllUnderLoadTakeNoPodAnyMore() throws Exception {
    var lab = cluster().lab();
    var vendor = HamiVendor.NVIDIA;
    lab.apply(vendor.pods("before", 10, 16_384));
    patiently().until(() -> cluster().bound() > 2);
    lab.apply(vendor.node(0, false));
    lab.kubectl("delete", "node", vendor.node(1));
    lab.kubectl("cordon", vendor.node(2));
    var sick = "CARD-" + vendor.node(0) + "-0";
    cluster().awaitUnusable(sick);
    // More than the two untouched nodes and the three cards beside the sick one can hold.
    lab.apply(vendor.pods("after", 24, 16_384));

    patiently()
        .during(Duration.ofSeconds(5))
        .untilAsserted(() -> assertThat(cluster().bound("nvidia-after")).isBetween(12, 22));
    assertThat(cluster().podsNamed("nvidia-after"))
        .allSatisfy(
            pod ->
                assertThat(pod.getMetadata().getAnnotations().getOrDefault(vendor.record, ""))
                    .doesNotContain(sick))
        .extracting(pod -> pod.getSpec().getNodeName())
        .doesNotContain(vendor.node(1));
    cluster().assertNothingIsDoubleBooked();

    lab.apply(vendor.node(0, true));
    lab.apply(vendor.node(1, true));
    lab.kubectl("uncordon", vendor.node(2));
    patiently().until(() -> cluster().bound("nvidia-after") == 24);
    cluster().assertNothingIsDoubleBooked();
  }

  private static void beginBurst() throws Exception {
    var lab = cluster().lab();
    lab.apply(
        HamiVendor.NVIDIA.pods("burst", 40, 16_384)
            + HamiVendor.HYGON.pods("burst", 40, 16_384)
            + HamiVendor.ASCEND.pods("burst", 40, 10_000)
            + HamiVendor.ILUVATAR.pods("burst", 20, 32_768));
    patiently().until(() -> cluster().bound() > 20);
  }

  private static void assertBurstIsServed() {
    cluster().awaitBound(BURST);
    cluster().assertNothingIsDoubleBooked();
    cluster().assertNothingIsLeftBehind();
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
