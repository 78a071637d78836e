package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuotaRoomTest {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  /** Two GPUs and 1.5 CPUs each: a sidecar counts, an init container that takes less does not. */
  private static Pod pod(String created, String phase) {
    return YAML.unmarshal(
        """
        metadata: {name: p, creationTimestamp: "%s"}
        spec:
          initContainers:
          - name: weights
            resources: {requests: {cpu: "1"}}
          - name: proxy
            restartPolicy: Always
            resources: {requests: {cpu: 500m}}
          containers:
          - name: model
            resources:
              requests: {cpu: "1", nvidia.com/gpu: 2}
              limits: {memory: 8Gi, nvidia.com/gpu: 2}
        status: {phase: %s}
        """
            .formatted(created, phase),
        Pod.class);
  }

  private static ResourceQuota quota(String spec, String hard, String used) {
    return YAML.unmarshal(
        "spec: {%s}\nstatus: {hard: {%s}, used: {%s}}".formatted(spec, hard, used),
        ResourceQuota.class);
  }

  private static final List<Pod> THREE =
      List.of(
          pod("2026-11-21T10:00:00Z", "Running"),
          pod("2026-11-21T10:01:00Z", "Pending"),
          pod("2026-11-21T10:02:00Z", "Running"),
          pod("2026-11-21T10:03:00Z", "Failed"));

  @Test
  void theTightestLineOfAllQuotasCounts() {
    var gpus =
        quota("", "requests.nvidia.com/gpu: 13, pods: 100", "requests.nvidia.com/gpu: 6, pods: 3");
    var cpu = quota("", "cpu: 7500m", "cpu: 4500m");
    var memory = quota("", "limits.memory: 32Gi", "limits.memory: 24Gi");

    assertThat(QuotaRoom.replicas(List.of(gpus), THREE)).hasValue(6); // 7 GPUs are left
    assertThat(QuotaRoom.replicas(List.of(gpus, cpu), THREE)).hasValue(5);
    assertThat(QuotaRoom.replicas(List.of(gpus, cpu, memory), THREE)).hasValue(4);
  }

  @Test
  void aQuotaThatIsExceededLeavesWhatThereIs() {
    var lowered = quota("", "count/pods: 1", "count/pods: 3");

    assertThat(QuotaRoom.replicas(List.of(lowered), THREE)).hasValue(3);
  }

  @Test
  void nothingIsSaidWhereNoQuotaConcernsThePod() {
    var others =
        quota("", "services: 5, requests.amd.com/gpu: 0", "services: 5, requests.amd.com/gpu: 0");
    var scoped = quota("scopes: [BestEffort]", "pods: 0", "pods: 0");
    var unread = YAML.unmarshal("spec: {hard: {pods: 1}}", ResourceQuota.class);

    assertThat(QuotaRoom.replicas(List.of(others, scoped, unread), THREE)).isEmpty();
    assertThat(QuotaRoom.replicas(List.of(), THREE)).isEmpty();
    assertThat(QuotaRoom.replicas(List.of(quota("", "pods: 9", "pods: 0")), List.of())).isEmpty();
  }
}
