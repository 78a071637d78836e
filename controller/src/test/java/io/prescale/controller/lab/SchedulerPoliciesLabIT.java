package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real API server refuses the scheduler's account what the chart's policies do not allow. The
 * other tests of the extender run under the same policies, so they show that its own writes pass.
 */
class SchedulerPoliciesLabIT {
  /** A pod that a queue holds back too, and a claim that was made for no pod. */
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: cards}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: gated, namespace: default}
      spec:
        schedulingGates: [{name: gpu.prescale.io/cards}, {name: example.com/queue}]
        containers: [{name: model, image: model}]
      ---
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: kept, namespace: default}
      spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: share}}]}}
      """;

  private static final String PULLS =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: pulls
        namespace: default
        labels: {gpu.prescale.io/warm: x}
        ownerReferences:
        - {apiVersion: placement.prescale.io/v1alpha1, kind: GpuBooking, name: llm, uid: u, controller: true}
      spec:
        nodeName: cards
        restartPolicy: Never
        activeDeadlineSeconds: 1800
        automountServiceAccountToken: false
        securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
        volumes: [{name: image-0, image: {reference: model}}]
        containers:
        - name: pull
          image: example.com/prescale:1
          command: [/opt/java/bin/java, -version]
          resources: {requests: {cpu: 10m, memory: 32Mi}, limits: {cpu: 500m, memory: 128Mi}}
          securityContext:
            {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          volumeMounts: [{name: image-0, mountPath: /images/0, readOnly: true}]
      """;

  @SuppressWarnings("NullAway.Init")
  private Lab lab;

  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path kubeconfig;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    this.folder = folder;
    lab = Lab.start("--nodes=0");
    ExtenderInLab.install(lab, folder, PrescaleInLab.freePort());
    kubeconfig = PrescaleInLab.kubeconfig(lab, folder, "prescale-scheduler");
    lab.apply(OBJECTS);
    // A policy takes effect a moment after its creation.
    patiently()
        .untilAsserted(
            () ->
                assertRefused(
                    "nothing of a node but",
                    "label",
                    "--dry-run=server",
                    "node/cards",
                    "role=mine"));
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void theApiServerRefusesWritesThatAreNotTheSchedulers() throws Exception {
    var pod = "pod/gated";

    assertRefused("nothing of a pod but", "label", pod, "app=mine");
    assertRefused("nothing of a pod but", "annotate", pod, "hami.io/bind-phase=allocating");
    assertRefused("nothing of a pod but", "set", "image", pod, "model=mine");
    assertRefused(
        "removes no scheduling gate but",
        "patch",
        "pod/gated",
        "--patch={\"spec\":{\"schedulingGates\":[{\"$patch\":\"replace\"}]}}");
    assertThatThrownBy(() -> patchStatus("{\"status\":{\"phase\":\"Failed\"}}"))
        .hasMessageContaining("does not change what the kubelet reports");
    assertThatThrownBy(
            () -> patchStatus("{\"metadata\":{\"annotations\":{\"hami.io/bind-phase\":\"x\"}}}"))
        .hasMessageContaining("no metadata of a pod but");
    patchStatus("{\"metadata\":{\"annotations\":{\"gpu.prescale.io/room-seen\":\"now\"}}}");
    assertRefused("nothing of a node but", "label", "node/cards", "role=mine");
    assertRefused(
        "nothing of a node but",
        "patch",
        "node/cards",
        "--patch={\"spec\":{\"unschedulable\":true}}");
    assertRefused("deletes no claim but", "delete", "resourceclaim/kept");
    asScheduler("annotate", "node/cards", "hami.io/mutex.lock=2026-11-22T12:00:00Z");
    asScheduler("annotate", "node/cards", "hami.io/mutex.lock-");
    asScheduler(
        "patch",
        pod,
        "--patch={\"spec\":{\"schedulingGates\":[{\"$patch\":\"delete\",\"name\":\"gpu.prescale.io/cards\"}]}}");
  }

  /** Each differs in one thing from what {@link WarmLabIT} sees created. */
  @Test
  void noPodsAreCreatedButThoseThatPullImages() throws Exception {
    create(PULLS);
    assertNotCreated("pull the images of a GpuBooking", "kind: GpuBooking", "kind: GpuQueue");
    assertNotCreated("pull the images of a GpuBooking", "{gpu.prescale.io/warm: x}", "{app: llm}");
    assertNotCreated(
        "mounts images", "volumes: [", "volumes: [{name: keys, secret: {secretName: keys}}, ");
    assertNotCreated(
        "runs its own command", "image: " + ExtenderInLab.PULLING_IMAGE, "image: mine");
    assertNotCreated("runs its own command", "[/opt/java/bin/java, -version]", "[/bin/sh]");
    assertNotCreated(
        "runs its own command", "name: pull\n", "name: pull\n    args: [-jar, mine]\n");
    assertNotCreated(
        "mounts images", "automountServiceAccountToken: false", "enableServiceLinks: true");
    assertNotCreated("no token", "activeDeadlineSeconds: 1800", "activeDeadlineSeconds: 18000");
    assertNotCreated("no token", "restartPolicy: Never", "restartPolicy: Always");
    assertNotCreated("no token", "allowPrivilegeEscalation: false", "runAsUser: 0");
    assertNotCreated("runs its own command", "nodeName: cards", "hostNetwork: true");
    assertNotCreated("no token", "drop: [ALL]", "drop: [ALL], add: [NET_BIND_SERVICE]");
    assertNotCreated("no devices", "limits: {", "limits: {nvidia.com/gpu: 1, ");
    assertNotCreated("no devices", "memory: 128Mi", "memory: 64Gi");
    assertNotCreated("mounts images", "mountPath: /images/0", "mountPath: /opt/java/lib");
    assertNotCreated(
        "pull the images of a GpuBooking",
        "name: pulls\n",
        "name: pulls\n  annotations: {cdi.k8s.io/gpu: nvidia.com/gpu=all}\n");
  }

  /** What OpenShift, a LimitRange and the webhook of EKS add before the policy looks. */
  @Test
  void whatCommonClustersAddToAPodIsNoReasonToRefuseIt() throws Exception {
    var annotated =
        with(
            PULLS,
            "labels: {",
            """
            annotations:
                openshift.io/scc: restricted-v2
                security.openshift.io/validated-scc-subject-type: user
                kubernetes.io/limit-ranger: "LimitRanger plugin set: ephemeral-storage"
                eks.amazonaws.com/skip-containers: pull
              labels: {eks.amazonaws.com/pod-identity: enabled,\
            """);
    var limited =
        with(
            with(annotated, "limits: {", "limits: {ephemeral-storage: 1Gi, "),
            "requests: {",
            "requests: {ephemeral-storage: 1Gi, ");
    var token =
        "{name: token, projected: {sources: [{serviceAccountToken: {path: t, audience: aws}}]}}";
    var eks = with(limited, "volumes: [", "volumes: [" + token + ", ");

    create(eks);

    var mounted = "volumeMounts: [{name: token, mountPath: /images/1, readOnly: true}, ";
    assertThatThrownBy(() -> create(with(eks, "volumeMounts: [", mounted)))
        .hasMessageContaining("mounts images");
  }

  private static String with(String pod, String part, String other) {
    assertThat(pod).containsOnlyOnce(part);
    return pod.replace(part, other);
  }

  private void create(String pod) throws Exception {
    var file = Files.writeString(folder.resolve("pod.yaml"), pod);
    asScheduler("create", "--dry-run=server", "--validate=false", "-f", file.toString());
  }

  private void assertNotCreated(String sentence, String part, String other) {
    assertThat(PULLS).contains(part);
    assertThatThrownBy(() -> create(PULLS.replace(part, other)))
        .as(other)
        .hasMessageContaining("ValidatingAdmissionPolicy")
        .hasMessageContaining(sentence);
  }

  /** Without kubectl, which reads the status first. */
  private void patchStatus(String patch) {
    try (var client = LabObjects.client(kubeconfig)) {
      client
          .pods()
          .inNamespace("default")
          .withName("gated")
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }
  }

  private String asScheduler(String... arguments) throws Exception {
    var command =
        Stream.concat(
            Stream.of(
                "--as=system:serviceaccount:prescale:prescale-scheduler", "--namespace=default"),
            Stream.of(arguments));
    return lab.kubectl(command.toArray(String[]::new));
  }

  private void assertRefused(String sentence, String... arguments) {
    assertThatThrownBy(() -> asScheduler(arguments))
        .hasMessageContaining("ValidatingAdmissionPolicy")
        .hasMessageContaining(sentence);
  }
}
