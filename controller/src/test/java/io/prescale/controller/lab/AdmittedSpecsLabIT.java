package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.Checkout;
import io.prescale.controller.api.v1alpha1.AdmittedSpecs;
import io.prescale.controller.api.v1alpha1.GeneratedCrd;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.operator.SpecReader;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.nio.file.Files;
import java.time.DateTimeException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever a real API server admits, by its own formats and rules, is read in Java. */
class AdmittedSpecsLabIT {
  private static final long SEED = 19;
  private static final int SPECS = 1_500;
  private static final int UNPROCESSABLE = 422;

  private final KubernetesSerialization json = new KubernetesSerialization();
  private final SpecReader reader = new SpecReader(new HpaFeatures(true));

  @Test
  void whatIsAdmittedIsReadOrRefusedInWords() throws Exception {
    try (var lab = Lab.start("--nodes=0");
        var client = LabObjects.client(lab)) {
      var file = "charts/prescale/crds/predictivehpas.autoscaling.prescale.io.yaml";
      lab.apply(Files.readString(Checkout.root().resolve(file)));
      lab.awaitDefinitions();
      var specs = new AdmittedSpecs(SEED);
      var schema = GeneratedCrd.specSchema();
      int admitted = 0;
      int valid = 0;
      for (int i = 0; i < SPECS; i++) {
        var spec = specs.next(schema);
        var taken = created(client, spec);
        if (taken.isPresent()) {
          admitted++;
          assertThat(taken.get().unreadable()).as("seed %d: %s", SEED, spec).isEmpty();
          valid += isValid(taken.get()) ? 1 : 0;
        }
      }
      System.out.printf("Of %d specs %d are admitted, %d of them valid%n", SPECS, admitted, valid);
      assertThat(admitted).isGreaterThan(SPECS / 50);
      assertThat(valid).isGreaterThan(SPECS / 100);
    }
  }

  /** In a dry run, with the defaults that the API server fills in; empty if it refuses. */
  private Optional<PredictiveHPA> created(KubernetesClient client, Object spec) {
    var object = new GenericKubernetesResource();
    object.setApiVersion("autoscaling.prescale.io/v1alpha1");
    object.setKind("PredictiveHPA");
    object.setMetadata(new ObjectMetaBuilder().withNamespace("default").withName("chat").build());
    object.setAdditionalProperties(Map.of("spec", spec));
    try {
      var taken = client.resource(object).dryRun(true).create();
      return Optional.of(json.unmarshal(json.asJson(taken), PredictiveHPA.class));
    } catch (KubernetesClientException e) {
      assertThat(e.getCode()).as(e.getMessage()).isEqualTo(UNPROCESSABLE);
      return Optional.empty();
    }
  }

  private boolean isValid(PredictiveHPA resource) {
    try {
      reader.settings(resource.getSpec());
      return true;
    } catch (IllegalArgumentException | DateTimeException e) {
      assertThat(e).hasMessageMatching("(?s).* .*");
      return false;
    }
  }
}
