package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** By requests of Prescale's accounts that a real API server has recorded. */
class UsedPermissionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The role that the accounts had, and what all accounts have. */
  private static final String ROLES =
      """
      [{"kind": "ClusterRole", "metadata": {"name": "prescale-workloads"}, "rules": [
         {"apiGroups": [""], "resources": ["pods", "pods/status"], "verbs": ["list", "patch"]},
         {"apiGroups": ["autoscaling"], "resources": ["horizontalpodautoscalers"], "verbs": ["create"]}]},
       {"kind": "ClusterRoleBinding", "metadata": {"name": "prescale-workloads"},
        "roleRef": {"kind": "ClusterRole", "name": "prescale-workloads"},
        "subjects": [{"kind": "ServiceAccount", "namespace": "prescale", "name": "prescale"},
                     {"kind": "ServiceAccount", "namespace": "prescale", "name": "prescale-scheduler"}]},
       {"kind": "ClusterRole", "metadata": {"name": "system:discovery"}, "rules": [
         {"nonResourceURLs": ["/api", "/api/*", "/apis", "/apis/*", "/version"], "verbs": ["get"]}]},
       {"kind": "ClusterRoleBinding", "metadata": {"name": "system:discovery"},
        "roleRef": {"kind": "ClusterRole", "name": "system:discovery"},
        "subjects": [{"kind": "Group", "name": "system:authenticated"}]}]
      """;

  private static final String BY_POLICY =
      ": pods \"kept\" is forbidden: ValidatingAdmissionPolicy 'no-labels' with binding 'no-labels'"
          + " denied request: no labels now";

  @Test
  void whatThePoliciesRefuseIsNoUseOfAPermission() throws IOException {
    var seen = seen(lines());

    assertThat(seen.used()).containsExactly("prescale-workloads: list pods");
    assertThat(seen.unused())
        .contains(
            "prescale-workloads: patch pods",
            "prescale-workloads: patch pods/status",
            "prescale-workloads: create horizontalpodautoscalers.autoscaling");
    assertThat(seen.rejected())
        .as("none in the namespace that is being deleted")
        .hasSize(4)
        .contains(
            "prescale: patch pods kept" + BY_POLICY,
            "prescale-scheduler: patch pods/status kept" + BY_POLICY)
        .anyMatch(
            it ->
                it.startsWith("prescale: create horizontalpodautoscalers.autoscaling chat: ")
                    && it.contains("cannot set blockOwnerDeletion"))
        .anyMatch(it -> it.startsWith("prescale: patch pods kept: Pod \"kept\" is invalid"));
  }

  @Test
  void aPathThatNoRolePermitsIsRefusedAsAResourceIs() throws IOException {
    assertThat(seen(lines()).refused())
        .containsExactly("prescale: get /metrics", "prescale: list secrets");
  }

  /** As for a moment after the API server has started. */
  @Test
  void aPathThatAllAccountsMayReadIsNotReported() throws IOException {
    var apis = lines().stream().filter(it -> it.contains("\"requestURI\":\"/apis\"")).findFirst();
    var refused =
        apis.orElseThrow()
            .replace("\"code\":200", "\"code\":403")
            .replace("decision\":\"allow\"", "decision\":\"forbid\"");

    assertThat(seen(List.of(refused)).refused()).isEmpty();
    assertThat(seen(List.of(refused.replace("\"/apis\"", "\"/apis/apps/v1\""))).refused())
        .isEmpty();
    assertThat(seen(List.of(refused.replace("\"/apis\"", "\"/apisofmine?x=y\""))).refused())
        .containsExactly("prescale: get /apisofmine");
  }

  @Test
  void onlyTheTestsThatProvokeARejectionMayHaveOne() throws IOException {
    var scheduler = lines().stream().filter(it -> it.contains("kept/status")).toList();
    var gated = scheduler.getFirst().replace("\"name\":\"kept\"", "\"name\":\"gated\"");
    var seen = seen(List.of(gated));
    var fault =
        "the API server refuses what the chart's roles permit, prescale-scheduler: patch"
            + " pods/status gated"
            + BY_POLICY;

    assertThat(seen.faults(List.of())).contains(fault);
    assertThat(seen.faults(PermissionUse.provoked(LabIT.class))).contains(fault);
    assertThat(seen.faults(PermissionUse.provoked(SchedulerPoliciesLabIT.class)))
        .noneMatch(it -> it.contains("refuses"));
    assertThat(seen(scheduler).faults(PermissionUse.provoked(SchedulerPoliciesLabIT.class)))
        .as("of another pod")
        .anyMatch(it -> it.contains("refuses"));
  }

  private static UsedPermissions.Seen seen(List<String> lines) throws IOException {
    Set<AuditedRequest> asked = new HashSet<>();
    for (var line : lines) {
      JsonNode event = JSON.readTree(line);
      AuditedRequest.of(event).forEach(asked::add);
    }
    return UsedPermissions.seen(JSON.readTree(ROLES), asked);
  }

  private static List<String> lines() throws IOException {
    var recorded =
        Objects.requireNonNull(
            UsedPermissionsTest.class.getResourceAsStream("audit-of-refusals.jsonl"));
    try (recorded) {
      return new String(recorded.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
