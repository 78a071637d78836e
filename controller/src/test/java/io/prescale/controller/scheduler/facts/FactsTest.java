package io.prescale.controller.scheduler.facts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.placement.inventory.NetworkLabels;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.inventory.PodFacts.Group;
import io.prescale.placement.inventory.PodFacts.Phase;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FactsTest {
  private final KubernetesSerialization yaml = new KubernetesSerialization();

  private PodFacts pod(String metadata, String spec, String status) {
    return Facts.of(
        yaml.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: d, uid: u, %s}
            spec: {%s}
            status: {%s}
            """
                .formatted(metadata, spec, status),
            Pod.class));
  }

  @Test
  void ofAPodOnlyIsKeptWhatIsRead() {
    var note = "x".repeat(100_000);
    var pod =
        yaml.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              {name: p, namespace: d, uid: u, resourceVersion: "7",
               annotations: {note: %s, nvidia.com/use-gpuuuid: GPU-1}}
            spec: {nodeName: n, containers: [{name: main, command: [%s]}]}
            """
                .formatted(note, note),
            Pod.class);

    var brief = Facts.brief(pod);

    assertThat(brief.toString()).hasSizeLessThan(3_000);
    assertThat(brief.getMetadata().getResourceVersion()).isEqualTo("7");
    assertThat(Facts.of(brief).display()).isEqualTo("d/p");
    assertThat(Facts.of(brief).uid()).isEqualTo("u");
    assertThat(Facts.of(brief).node()).as("whose hand-over ends").contains("n");
    assertThat(Facts.of(pod).annotations()).isEqualTo(Map.of("nvidia.com/use-gpuuuid", "GPU-1"));
  }

  @Test
  void namesTheSchedulerThatIsToPlaceAPod() {
    assertThat(pod("", "", "").scheduler()).isEqualTo("default-scheduler");
    assertThat(pod("", "schedulerName: cards", "").scheduler()).isEqualTo("cards");
  }

  @Test
  void theQueueOfAPodIsThatOfItsLabelElseOfItsNamespaceElseTheDefault() {
    var named = pod("labels: {gpu.prescale.io/queue: research}", "", "");
    var blank = pod("labels: {gpu.prescale.io/queue: \"\"}", "", "");

    assertThat(named.queueOr(Optional.of("team"))).isEqualTo("research");
    assertThat(blank.queueOr(Optional.of("team"))).isEqualTo("team");
    assertThat(pod("", "", "").queueOr(Optional.empty())).isEqualTo("default");
  }

  @Test
  void aPodIsNominatedForANodeWhileItWaits() {
    assertThat(pod("", "", "nominatedNodeName: n").nominated()).contains("n");
    assertThat(pod("", "nodeName: n", "nominatedNodeName: n").nominated()).isEmpty();
  }

  @Test
  void aTimeOfCreationThatCannotBeReadIsLongAgo() {
    assertThat(pod("creationTimestamp: \"2026-11-21T12:00:00Z\"", "", "").created())
        .isEqualTo(Instant.parse("2026-11-21T12:00:00Z"));
    assertThat(pod("creationTimestamp: yesterday", "", "").created()).isEqualTo(Instant.EPOCH);
    assertThat(pod("", "", "").created()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void putsInitContainersFirstAndTakesLimitsBeforeRequests() {
    var facts =
        pod(
            "",
            """
            containers: [{name: main, resources: {requests: {x.y/z: "1"}, limits: {x.y/z: 2k, cpu: 4}}}],
            initContainers: [{name: init}], nodeName: n, priority: 9
            """,
            "phase: Running");

    assertThat(facts.containers()).extracting("name").containsExactly("init", "main");
    assertThat(facts.containers().getLast().asked()).isEqualTo(Map.of("x.y/z", 2000L));
    assertThat(facts.node()).contains("n");
    assertThat(facts.priority()).isEqualTo(9);
    assertThat(facts.phase()).isEqualTo(Phase.RUNNING);
  }

  @ParameterizedTest
  @CsvSource({
    "99999999999999999999999, 9223372036854775807",
    "-99999999999999999999999, -9223372036854775807",
    "1500m, 2",
    "1Ki, 1024",
    "1e3, 1000"
  })
  void readsAmountsOfAnySize(String quantity, long amount) {
    var spec = "containers: [{name: c, resources: {limits: {x.y/z: \"%s\"}}}]".formatted(quantity);

    assertThat(pod("", spec, "").containers().getFirst().asked())
        .isEqualTo(Map.of("x.y/z", amount));
  }

  @Test
  void knowsGroupsByOurAnnotationsAndByLeaderWorkerSet() {
    assertThat(
            pod(
                    "annotations: {gpu.prescale.io/group: g, gpu.prescale.io/group-size: \"3\"}",
                    "",
                    "")
                .group())
        .contains(new Group("g", 3));
    assertThat(
            pod(
                    """
                    labels: {leaderworkerset.sigs.k8s.io/group-key: k},
                    annotations: {leaderworkerset.sigs.k8s.io/size: "4"}
                    """,
                    "",
                    "")
                .group())
        .contains(new Group("k", 4));
  }

  @Test
  void knowsPodGroupsOfKubernetesUnlessThePodSaysOtherwise() {
    var named = "schedulingGroup: {podGroupName: workers}";

    assertThat(pod("", named, "").group()).contains(new Group("PodGroup/workers", 0));
    assertThat(
            pod(
                    "annotations: {gpu.prescale.io/group: g, gpu.prescale.io/group-size: \"3\"}",
                    named,
                    "")
                .group())
        .contains(new Group("g", 3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schedulingGroup: {}",
        "schedulingGroup: {podGroupName: ''}",
        "schedulingGroup: {podGroupName: 7}",
        "schedulingGroup: {podGroupName: [a]}",
        "schedulingGroup: workers",
        "schedulingGroup: null"
      })
  void aSchedulingGroupThatNamesNoneMakesNoGroup(String spec) {
    assertThat(pod("", spec, "").group()).isEmpty();
  }

  @Test
  void keepsTheLabelsOfDevices() {
    var node =
        yaml.unmarshal(
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: n
              labels: {nvidia.com/gpu.count: "8", nvidia.com/mig-1g.10gb.count: "7", other: x}
            """,
            Node.class);

    assertThat(Facts.of(node, NetworkLabels.KNOWN).labels())
        .isEqualTo(Map.of("nvidia.com/gpu.count", "8", "nvidia.com/mig-1g.10gb.count", "7"));
  }

  @Test
  void knowsJobSetsByTheNumberOfTheirJobsOrByOurs() {
    var labels =
        """
        labels: {jobset.sigs.k8s.io/jobset-name: s, jobset.sigs.k8s.io/global-replicas: "4",
                 jobset.sigs.k8s.io/restart-attempt: "2"}
        """;
    assertThat(pod(labels, "", "").group()).contains(new Group("s.2", 4));
    assertThat(pod(labels + ", annotations: {gpu.prescale.io/group-size: \"8\"}", "", "").group())
        .contains(new Group("s.2", 8));
    assertThat(pod("labels: {jobset.sigs.k8s.io/jobset-name: s}", "", "").group()).isEmpty();
  }

  @Test
  void knowsWhomTheSchedulerHasPutAside() {
    var aside =
        """
        {"metadata":{"name":"p"},"spec":{},"status":{"conditions":[
          {"type":"PodScheduled","status":"False","reason":"Unschedulable"}]}}
        """;
    var json = new KubernetesSerialization();

    assertThat(Facts.isPutAside(json.unmarshal(aside, Pod.class))).isTrue();
    assertThat(Facts.isPutAside(json.unmarshal(aside.replace("Unsch", "Sch"), Pod.class)))
        .isFalse();
    assertThat(
            Facts.isPutAside(
                json.unmarshal(aside.replace("{}", "{\"nodeName\":\"n\"}"), Pod.class)))
        .isFalse();
    assertThat(Facts.isPutAside(json.unmarshal("{\"spec\":{}}", Pod.class))).isFalse();
    assertThat(Facts.isGated(json.unmarshal("{\"spec\":{}}", Pod.class))).isFalse();
    assertThat(
            Facts.isGated(
                json.unmarshal("{\"spec\":{\"schedulingGates\":[{\"name\":\"g\"}]}}", Pod.class)))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "many", "99999999999", "''"})
  void takesNoGroupWhoseSizeMakesNoSense(String size) {
    assertThat(
            pod(
                    "annotations: {gpu.prescale.io/group: g, gpu.prescale.io/group-size: \"%s\"}"
                        .formatted(size),
                    "",
                    "")
                .group())
        .isEmpty();
  }

  @Test
  void keepsOfANodeWhatTellsOfDevices() {
    var node =
        Facts.of(
            yaml.unmarshal(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: n
                  labels: {nvidia.com/gpu.product: NVIDIA-L4, other: label}
                  annotations:
                    hami.io/node-nvidia-register: "[]"
                    hami.io/node-handshake: Requesting_2026-11-21 06:00:00
                    hami.io/mutex.lock: 2026-11-21T06:00:00Z,a,b
                spec: {unschedulable: true}
                status:
                  allocatable: {cpu: "4", nvidia.com/gpu: "8"}
                  conditions: [{type: Ready, status: "True"}]
                """,
                Node.class),
            NetworkLabels.KNOWN);

    assertThat(node.annotations()).containsOnlyKeys("hami.io/node-nvidia-register");
    assertThat(node.labels()).containsOnlyKeys("nvidia.com/gpu.product");
    assertThat(node.allocatable()).isEqualTo(Map.of("nvidia.com/gpu", 8L));
    assertThat(node.ready()).isTrue();
    assertThat(node.cordoned()).isTrue();
  }

  @Test
  void aLabelOfANamespaceNamesAQueueUnlessItIsBlank() {
    var named =
        new NamespaceBuilder().withNewMetadata().addToLabels(Facts.QUEUE, "q").endMetadata();
    var blank = new NamespaceBuilder().withNewMetadata().addToLabels(Facts.QUEUE, "").endMetadata();

    assertThat(Facts.queue(named.build().getMetadata())).contains("q");
    assertThat(Facts.queue(blank.build().getMetadata())).isEmpty();
    assertThat(
            Facts.queue(
                new NamespaceBuilder().withNewMetadata().endMetadata().build().getMetadata()))
        .isEmpty();
  }
}
