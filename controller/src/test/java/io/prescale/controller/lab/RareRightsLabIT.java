package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights of the chart's roles of which most clusters make no use. */
class RareRightsLabIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROLE = "prescale-workloads";

  /**
   * With an admission plugin that OpenShift has, who makes an object that delays the deletion of
   * its owner must be permitted to update the owner's finalizers; and where no adapter was before
   * Prescale, the APIService that it made goes with it.
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
        rules(lab, rules);
        patiently().until(() -> replicas(lab, "later"), it -> it == 3);

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

  /** A Deployment in a namespace of its name, with a PredictiveHPA. */
  private static void scale(Lab lab, String name) throws Exception {
    lab.kubectl("create", "namespace", name);
    lab.kubectl("create", "deployment", name, "--namespace=" + name, "--image=model");
    lab.apply(GaugedLab.manifest(name, "Active", "load_" + name, ""));
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
