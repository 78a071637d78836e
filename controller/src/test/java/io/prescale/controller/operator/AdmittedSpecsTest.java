package io.prescale.controller.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.api.v1alpha1.AdmittedSpecs;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.time.DateTimeException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever the definition admits is read in Java, or refused in words. */
class AdmittedSpecsTest {
  private static final long SEED = 15;
  private static final int SPECS = 5_000;

  @Test
  @Timeout(120)
  void eachIsReadOrRefusedInWords() {
    var json = new KubernetesSerialization();
    var reader = new SpecReader(new HpaFeatures(true));
    var specs = new AdmittedSpecs(SEED);
    var schema = GeneratedCrd.specSchema();
    int valid = 0;
    for (int i = 0; i < SPECS; i++) {
      var spec = specs.next(schema);
      var resource =
          json.unmarshal(
              json.asJson(
                  Map.of(
                      "apiVersion",
                      "autoscaling.prescale.io/v1alpha1",
                      "kind",
                      "PredictiveHPA",
                      "metadata",
                      Map.of("namespace", "team", "name", "chat", "uid", "uid-1"),
                      "spec",
                      spec)),
              PredictiveHPA.class);
      assertThat(resource.unreadable()).as("seed %d: %s", SEED, spec).isEmpty();
      valid += isValid(resource, reader) ? 1 : 0;
    }
    assertThat(valid).as("specs that are also valid").isGreaterThan(SPECS / 100);
  }

  private static boolean isValid(PredictiveHPA resource, SpecReader reader) {
    try {
      reader.settings(resource.getSpec());
      SpecReader.wish(resource);
      if (resource.getSpec().prometheus() != null) {
        resource.getSpec().prometheus().uri();
      }
      return true;
    } catch (IllegalArgumentException | DateTimeException e) {
      assertThat(e).hasMessageMatching("(?s).* .*");
      return false;
    }
  }
}
