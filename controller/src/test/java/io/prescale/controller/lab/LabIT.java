package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prescale.controller.lab.Lab.Verb;
import io.prescale.controller.lab.Laboratory.Component;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The laboratory itself: what the other tests on a real control plane rely on. */
class LabIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Times in the API have whole seconds. */
  private static final Duration START_DELAY = Duration.ofSeconds(4);

  private static @Nullable Lab lab;

  @BeforeAll
  static void startLab(@TempDir Path folder) throws IOException, InterruptedException {
    var scheduler = folder.resolve("scheduler.yaml");
    Files.writeString(
        scheduler,
        """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles: [{schedulerName: default-scheduler}, {schedulerName: second-scheduler}]
        """);
    lab =
        Lab.start(
            "--nodes=3",
            "--gpus-per-node=8",
            "--hpa-sync-period=1s",
            "--pod-start-delay=" + START_DELAY.toSeconds() + "s",
            "--scheduler-config=" + scheduler);
  }

  @AfterAll
  static void stopLab() {
    if (lab != null) {
      lab.close();
    }
  }

  @Test
  void runsKubernetesWithItsOwnVersion() throws IOException, InterruptedException {
    assertThat(lab().describe().version()).isEqualTo("v1.36.3");
    var version = get("version", "-o", "json");
    assertThat(version.at("/serverVersion/gitVersion").asText()).isEqualTo("v1.36.3");
    assertThat(version.at("/serverVersion/minor").asText()).isEqualTo("36");
    assertThat(version.at("/clientVersion/gitVersion").asText()).isEqualTo("v1.36.3");
  }

  @Test
  void podsAreReadyAfterTheStartDelayAndNotBefore() throws IOException, InterruptedException {
    lab().kubectl("create", "deployment", "cold", "--image=model", "--replicas=3");
    lab().kubectl("wait", "deployment/cold", "--for=condition=Available", "--timeout=2m");

    var pods = get("get", "pods", "--selector=app=cold", "-o", "json").get("items");
    assertThat(pods).hasSize(3);
    assertThat(pods)
        .allSatisfy(
            pod ->
                assertThat(Duration.between(since(pod, "PodScheduled"), since(pod, "Ready")))
                    .isGreaterThanOrEqualTo(START_DELAY.minusSeconds(1)));
  }

  @Test
  void aPodMayBringItsOwnStartDelay() throws IOException, InterruptedException {
    var twice = START_DELAY.multipliedBy(2);
    var annotation = "--annotations=lab.prescale.io/pod-start-delay=" + twice.toSeconds() + "s";
    lab().kubectl("run", "large-model", "--image=model", annotation);
    lab().kubectl("wait", "pod/large-model", "--for=condition=Ready", "--timeout=2m");
    var pod = get("get", "pod", "large-model", "-o", "json");
    assertThat(Duration.between(since(pod, "PodScheduled"), since(pod, "Ready")))
        .isGreaterThanOrEqualTo(twice.minusSeconds(1));
  }

  @Test
  void theHpaControllerActsOnAnHpaWithoutTolerance() throws IOException, InterruptedException {
    lab()
        .apply(
            """
            apiVersion: autoscaling/v2
            kind: HorizontalPodAutoscaler
            metadata: {name: exact}
            spec:
              scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: exact}
              minReplicas: 2
              maxReplicas: 10
              metrics:
              - type: External
                external: {metric: {name: load}, target: {type: AverageValue, averageValue: "1"}}
              behavior: {scaleUp: {tolerance: "0"}}
            """);
    lab().kubectl("create", "deployment", "exact", "--image=model", "--replicas=1");

    patiently()
        .untilAsserted(
            () ->
                assertThat(get("get", "deployment", "exact", "-o", "json").at("/spec/replicas"))
                    .hasToString("2"));
    var hpa = get("get", "hpa", "exact", "-o", "json");
    assertThat(hpa.at("/spec/behavior/scaleUp/tolerance").asText()).isEqualTo("0");
  }

  @Test
  void runsTheSchedulerWithTheGivenConfiguration() throws IOException, InterruptedException {
    lab()
        .apply(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: eight-gpus}
            spec:
              schedulerName: second-scheduler
              containers:
              - {name: c, image: i, resources: {limits: {nvidia.com/gpu: "8"}}}
            """);
    lab().kubectl("wait", "pod/eight-gpus", "--for=condition=PodScheduled", "--timeout=2m");
    assertThat(get("get", "pod", "eight-gpus", "-o", "json").at("/spec/nodeName").asText())
        .startsWith("node-000");
  }

  @Test
  void objectsSurviveTheDeathOfTheApiServer() throws IOException, InterruptedException {
    lab().kubectl("create", "deployment", "survivor", "--image=model", "--replicas=2");
    lab().kubectl("wait", "deployment/survivor", "--for=condition=Available", "--timeout=2m");
    var before = uids("survivor");

    lab().command("kube-apiserver", Verb.KILL);
    assertThat(lab().components().get("kube-apiserver")).extracting(Component::pid).isEqualTo(0L);
    assertThatThrownBy(() -> lab().kubectl("get", "pods")).hasMessageContaining("refused");
    lab().command("kube-apiserver", Verb.START);
    lab().command("kube-scheduler", Verb.RESTART);

    assertThat(before).hasSize(2);
    assertThat(uids("survivor")).containsExactlyInAnyOrderElementsOf(before);
    lab().kubectl("scale", "deployment/survivor", "--replicas=3");
    lab()
        .kubectl(
            "wait",
            "deployment/survivor",
            "--for=jsonpath={.status.readyReplicas}=3",
            "--timeout=2m");
  }

  @Test
  void writesAreInTheAuditLogWithTheirContent() throws IOException, InterruptedException {
    lab().kubectl("create", "deployment", "audited", "--image=model", "--replicas=0");
    patiently()
        .untilAsserted(
            () -> assertThat(AuditLog.events(lab(), "audited")).anySatisfy(LabIT::assertCreated));
  }

  private static void assertCreated(JsonNode event) {
    assertThat(event.at("/verb").asText()).isEqualTo("create");
    assertThat(event.at("/objectRef/name").asText()).isEqualTo("audited");
    assertThat(event.at("/user/username").asText()).isEqualTo("lab-admin");
    assertThat(event.at("/requestObject/spec/replicas").asInt(-1)).isZero();
  }

  @Test
  void whatPrescaleMayAndMayNotIsFound(@TempDir Path folder) throws Exception {
    var in = "--namespace=prescale";
    lab().kubectl("create", "namespace", "prescale");
    lab().kubectl("create", "serviceaccount", "prescale", in);
    lab()
        .kubectl(
            "create",
            "role",
            "prescale-own",
            "--verb=deletecollection,list,watch",
            "--resource=configmaps",
            in);
    lab()
        .kubectl(
            "create",
            "rolebinding",
            "prescale-own",
            "--role=prescale-own",
            "--serviceaccount=prescale:prescale",
            in);
    var own = PrescaleInLab.kubeconfig(lab(), folder, "prescale");
    try (var client = LabObjects.client(own)) {
      patiently().until(() -> client.configMaps().inNamespace("prescale").list() != null);
      assertThatThrownBy(() -> client.secrets().inNamespace("prescale").list()).isNotNull();
    }

    var seen =
        patiently()
            .until(
                () -> UsedPermissions.seen(lab()),
                new UsedPermissions.Seen(
                        List.of("prescale-own: list configmaps"),
                        List.of(
                            "prescale-own: deletecollection configmaps",
                            "prescale-own: watch configmaps"),
                        List.of("prescale: list secrets"),
                        List.of())
                    ::equals);
    assertThat(seen.faults())
        .containsExactly(
            "the chart's roles do not permit prescale: list secrets",
            "nothing uses \"prescale-own: deletecollection configmaps\"; remove it from the chart,"
                + " or add the test that does and the line in permissions.csv");
    lab().kubectl("delete", "rolebinding", "prescale-own", in); // or the laboratory ends badly
  }

  @Test
  void leavesNothingBehind() throws IOException, InterruptedException {
    Laboratory described;
    try (var other = Lab.start("--nodes=0")) {
      described = other.describe();
      assertThat(described.folder()).isDirectory();
      assertThat(described.components())
          .hasSize(5)
          .allSatisfy((name, c) -> assertThat(lives(c)).as(name).isTrue());
    }
    assertThat(described.folder()).doesNotExist();
    assertThat(described.components())
        .allSatisfy((name, c) -> assertThat(lives(c)).as(name).isFalse());
  }

  @Test
  void refusesWrongOptionsAndCommandsInASentence() {
    assertThatThrownBy(() -> Lab.start("--nodes=many").close())
        .hasMessage(
            "lab: invalid value \"many\" for flag -nodes: give a whole number from 0 to 5000;"
                + " lab -h lists the options");
    assertThatThrownBy(() -> lab().command("kubelet", Verb.START))
        .hasMessageStartingWith("there is no \"kubelet\" here; there are etcd, kube-apiserver,");
    assertThatThrownBy(() -> lab().command("kwok", Verb.START))
        .hasMessage("kwok is running already");
    assertThatThrownBy(() -> lab().kubectl("get", "unicorns"))
        .hasMessageContaining("the server doesn't have a resource type \"unicorns\"");
  }

  private static Lab lab() {
    if (lab == null) {
      throw new IllegalStateException("the laboratory was not started");
    }
    return lab;
  }

  private static JsonNode get(String... kubectl) throws IOException, InterruptedException {
    return JSON.readTree(lab().kubectl(kubectl));
  }

  private static List<String> uids(String app) throws IOException, InterruptedException {
    return lab()
        .kubectl("get", "pods", "--selector=app=" + app, "-o", "jsonpath={.items[*].metadata.uid}")
        .lines()
        .flatMap(line -> Stream.of(line.split(" ")))
        .toList();
  }

  private static Instant since(JsonNode pod, String condition) {
    for (var each : pod.at("/status/conditions")) {
      if (each.get("type").asText().equals(condition)
          && each.get("status").asText().equals("True")) {
        return Instant.parse(each.get("lastTransitionTime").asText());
      }
    }
    throw new AssertionError(condition + " is not true");
  }

  private static boolean lives(Component component) {
    return ProcessHandle.of(component.pid()).isPresent();
  }
}
