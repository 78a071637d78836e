package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights of the chart's roles of which most clusters make no use. */
class RareRightsLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROLE = "prescale-workloads";

  private static final String NO_BINDINGS =
      """
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicy
      metadata: {name: no-bindings}
      spec:
        matchConstraints:
          resourceRules:
          - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/binding]}
        validations: [{expression: "false", message: no bindings now}]
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingAdmissionPolicyBinding
      metadata: {name: no-bindings}
      spec: {policyName: no-bindings, validationActions: [Deny]}
      """;

  private static final String BINDINGS = "/api/v1/namespaces/default/pods/no-pod/binding";
  private static final String BINDING_OF_NO_POD =
      """
      {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "no-pod"},
       "target": {"apiVersion": "v1", "kind": "Node", "name": "hygon-0"}}
      """;

  /**
   * With an admission plugin that OpenShift has, who makes an object that delays the deletion of
   * its owner must be permitted to update the owner's finalizers; a Prometheus may want a token
   * from a Secret; and where no adapter was before Prescale, the APIService that it made goes with
   * it.
   */
  @Test
  void anHpaNeedsTheRightToUpdateFinalizersAndTheApiServiceIsRemovedInTheEnd(@TempDir Path folder)
      throws Exception {
    try (var gauges = Gauges.start();
        var lab =
            GaugedLab.lab(
                folder, gauges, "1s", "--admission-plugins=OwnerReferencesPermissionEnforcement")) {
      gauges.set("load_chat", 12);
      gauges.set("load_later", 12);
      gauges.set("load_default", 12);
      var prescale = PrescaleInLab.install(lab, folder);
      var rules = lab.kubectl("get", "clusterrole", ROLE, "-o=jsonpath={.rules}");
      try (var _ = prescale.start("rare-rights")) {
        scale(lab, "chat");
        patiently().until(() -> replicas(lab, "chat"), it -> it == 3);

        rules(lab, withoutFinalizers(rules));
        scale(lab, "later");
        patiently()
            .untilAsserted(
                () ->
                    assertThat(AuditLog.events(lab, "cannot set blockOwnerDeletion")).isNotEmpty());
        assertThat(lab.kubectl("get", "hpa", "--namespace=later", "-o=name")).isEmpty();
        // That plugin asks, and what it asks is no request in the audit log.
        PermissionUse.add(
            List.of(ROLE + ": update predictivehpas/finalizers.autoscaling.prescale.io"));
        rules(lab, rules);
        patiently().until(() -> replicas(lab, "later"), it -> it == 3);
        scaleWithATokenOfASecret(lab);

        assertThat(prescale.run("check").lines())
            .as("as in a pod of Prescale, with its account")
            .hasSize(4)
            .allMatch(line -> line.startsWith("ok "));
      }
      assertThat(prescale.run("give-back"))
          .contains("The APIService that Prescale had made is deleted");
      assertThat(lab.kubectl("get", "apiservices", "-o=name"))
          .doesNotContain(ReleaseObjects.API_SERVICE);
    }
  }

  /** A refusal does not say that a pod is not bound, so the extender reads the pod. */
  @Test
  void aPodWhoseBindingWasRefusedIsReadAndBoundLater(@TempDir Path folder) throws Exception {
    var pod = HamiVendor.HYGON.pods("refused", 1, 16_384);
    try (var cluster = ExtenderCluster.start(1);
        var _ = cluster.extender().start("rare-rights-extender")) {
      var lab = cluster.lab();
      lab.apply(NO_BINDINGS);
      var binding = Files.writeString(folder.resolve("binding.json"), BINDING_OF_NO_POD);
      patiently()
          .untilAsserted(
              () ->
                  assertThatThrownBy(
                          () -> lab.kubectl("create", "--raw", BINDINGS, "--filename=" + binding))
                      .as("a policy takes effect a moment after its creation")
                      .hasMessageContaining("no bindings now"));

      lab.apply(pod);
      patiently()
          .untilAsserted(
              () ->
                  assertThat(cluster.events("hygon-refused-0", "FailedScheduling"))
                      .anyMatch(message -> message.contains("no bindings now")));
      assertThat(cluster.bound()).isZero();
      lab.kubectl("delete", "validatingadmissionpolicybinding", "no-bindings");

      cluster.awaitBound(1);
      cluster.assertNothingIsDoubleBooked();
    }
  }

  /** A Deployment in a namespace of its name, with a PredictiveHPA. */
  private static void scale(Lab lab, String name) throws Exception {
    lab.kubectl("create", "namespace", name);
    scale(lab, name, "");
  }

  private static void scale(Lab lab, String name, String more) throws Exception {
    lab.kubectl("create", "deployment", name, "--namespace=" + name, "--image=model");
    lab.apply(GaugedLab.manifest(name, "Active", "load_" + name, more));
  }

  /** In the one namespace whose Secrets the chart's values let Prescale read here. */
  private static void scaleWithATokenOfASecret(Lab lab) throws Exception {
    lab.kubectl("create", "secret", "generic", "reader", "--from-literal=token=t");
    var server = lab.describe().prometheus();
    scale(
        lab,
        "default",
        "prometheus: {url: \"%s\", bearerToken: {name: reader, key: token}}".formatted(server));
    patiently().until(() -> replicas(lab, "default"), it -> it == 3);
  }

  private static int replicas(Lab lab, String name) throws Exception {
    var deployment = lab.kubectl("get", "deployment", name, "--namespace=" + name, "-o=json");
    return JSON.readTree(deployment).at("/spec/replicas").asInt();
  }

  private static void rules(Lab lab, String rules) throws Exception {
    lab.kubectl(
        "patch", "clusterrole", ROLE, "--type=merge", "--patch={\"rules\": %s}".formatted(rules));
  }

  private static String withoutFinalizers(String rules) throws Exception {
    var kept = JSON.createArrayNode();
    for (JsonNode rule : JSON.readTree(rules)) {
      if (!rule.path("resources").toString().contains("predictivehpas/finalizers")) {
        kept.add(rule);
      }
    }
    assertThat(kept).hasSizeLessThan(JSON.readTree(rules).size());
    return kept.toString();
  }
}
