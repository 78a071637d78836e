package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Groups of pods on a real control plane: all members are placed or none is. */
class ExtenderGroupsLabIT {
  private static final int NODES_OF_A_VENDOR = 5;
  private static final int CARDS = NODES_OF_A_VENDOR * HamiVendor.CARDS;
  private static final int MOST = CARDS / 2 + 2;

  @RegisterExtension
  static final ExtenderOnCluster EXTENDER =
      new ExtenderOnCluster(
          NODES_OF_A_VENDOR,
          "--feature-gates=GenericWorkload=true,GangScheduling=true",
          "--runtime-config=scheduling.k8s.io/v1alpha2=true");

  @Test
  void ofTwoGroupsThatNeedMoreThanHalfOfTheClusterOneHasAllAndThenTheOther() throws Exception {
    var one = members("one", ", annotations: {gpu.prescale.io/group: one, %s}");
    var two = members("two", ", annotations: {gpu.prescale.io/group: two, %s}");
    cluster().lab().apply(interleaved(one, two));

    assertOneAfterTheOther("hygon-one", "hygon-two");
  }

  @Test
  @Tag("long")
  void groupsOfALeaderWorkerSetAreKnownByTheirLabels() throws Exception {
    var metadata =
        ", labels: {leaderworkerset.sigs.k8s.io/group-key: %s}"
            + ", annotations: {leaderworkerset.sigs.k8s.io/size: \"%d\"}";
    cluster()
        .lab()
        .apply(
            interleaved(
                HamiVendor.HYGON.pods("key0", MOST, 32_768, metadata.formatted("key0", MOST)),
                HamiVendor.HYGON.pods("key1", MOST, 32_768, metadata.formatted("key1", MOST))));

    assertOneAfterTheOther("hygon-key0", "hygon-key1");
  }

  @Test
  @Tag("long")
  void jobSetsAreKnownByTheirLabels() throws Exception {
    var metadata =
        ", labels: {jobset.sigs.k8s.io/jobset-name: %s, jobset.sigs.k8s.io/jobset-uid: uid-%1$s,"
            + " jobset.sigs.k8s.io/global-replicas: \"%2$d\","
            + " jobset.sigs.k8s.io/restart-attempt: \"0\"}";
    cluster()
        .lab()
        .apply(
            interleaved(
                HamiVendor.HYGON.pods("set0", MOST, 32_768, metadata.formatted("set0", MOST)),
                HamiVendor.HYGON.pods("set1", MOST, 32_768, metadata.formatted("set1", MOST))));

    assertOneAfterTheOther("hygon-set0", "hygon-set1");
  }

  @Test
  void podGroupsOfKubernetesAreKnownByTheirOwnObjects() throws Exception {
    cluster().lab().apply(podGroup("pg0") + podGroup("pg1"));
    cluster().lab().apply(interleaved(namingPodGroup("pg0"), namingPodGroup("pg1")));

    assertOneAfterTheOther("hygon-pg0", "hygon-pg1");
  }

  private static String podGroup(String name) {
    return """
    ---
    apiVersion: scheduling.k8s.io/v1alpha2
    kind: PodGroup
    metadata: {name: %s, namespace: default}
    spec: {schedulingPolicy: {gang: {minCount: %d}}}
    """
        .formatted(name, MOST);
  }

  private static String namingPodGroup(String name) {
    return HamiVendor.HYGON
        .pods(name, MOST, 32_768)
        .replace("spec:\n", "spec:\n  schedulingGroup: {podGroupName: %s}\n".formatted(name));
  }

  @Test
  void aGroupThatIsNotCompleteHoldsNothingAndGoesOnWithItsLastMember() throws Exception {
    var pods = members("late", ", annotations: {gpu.prescale.io/group: late, %s}");
    int last = pods.lastIndexOf("---");
    cluster().lab().apply(pods.substring(0, last));
    patiently()
        .untilAsserted(
            () ->
                assertThat(cluster().lab().kubectl("get", "pods", "-o", "yaml"))
                    .contains("%d of the %d pods of group late".formatted(MOST - 1, MOST)));
    assertThat(cluster().bound()).isZero();

    cluster().lab().apply(pods.substring(last));
    cluster().awaitBound(MOST);
    cluster().assertNothingIsDoubleBooked();
  }

  private static String members(String group, String metadata) {
    var size = "gpu.prescale.io/group-size: \"%d\"".formatted(MOST);
    return HamiVendor.HYGON.pods(group, MOST, 32_768, metadata.formatted(size));
  }

  private static String interleaved(String one, String other) {
    var ones = one.split("(?=---)", -1);
    var others = other.split("(?=---)", -1);
    var text = new StringBuilder();
    for (int pod = 0; pod < ones.length; pod++) {
      text.append(ones[pod]).append(others[pod]);
    }
    return text.toString();
  }

  private static void assertOneAfterTheOther(String one, String other) throws Exception {
    patiently().until(() -> cluster().bound() == MOST);
    patiently()
        .during(Duration.ofSeconds(3))
        .untilAsserted(
            () ->
                assertThat(List.of(cluster().bound(one), cluster().bound(other)))
                    .containsExactlyInAnyOrder(0, MOST));
    cluster().assertNothingIsDoubleBooked();
    cluster().awaitServed(MOST);
    var first = cluster().bound(one) == MOST ? one : other;
    for (int pod = 0; pod < MOST; pod++) {
      cluster().lab().kubectl("delete", "pod", first + "-" + pod, "--grace-period=0", "--force");
    }
    var second = first.equals(one) ? other : one;
    patiently().until(() -> cluster().bound(second) == MOST);
    cluster().assertNothingIsDoubleBooked();
    cluster().assertNothingIsLeftBehind();
  }

  private static ExtenderCluster cluster() {
    return EXTENDER.cluster();
  }
}
