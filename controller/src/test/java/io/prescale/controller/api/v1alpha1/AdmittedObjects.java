package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.function.Consumer;

/** Objects of placement.prescale.io with {@link AdmittedSpecs}. */
public final class AdmittedObjects {
  /** How many each kind has in all. */
  public static final int SPECS = 5_000;

  /** How many there are at a time. */
  public static final int AT_ONCE = 20;

  private static final long SEED = 15;
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  private AdmittedObjects() {}

  /** Hands so many, a few of them again and again, to one that must never fail. */
  public static void each(
      String kind, JSONSchemaProps schema, Consumer<GenericKubernetesResource> consumer) {
    var specs = new AdmittedSpecs(SEED);
    for (int i = 0; i < SPECS; i++) {
      var resource = of(kind, i % AT_ONCE, specs.any(schema));
      assertThatCode(() -> consumer.accept(resource))
          .as("seed %d: %s", SEED, resource)
          .doesNotThrowAnyException();
    }
  }

  /** One of a few, with a spec. */
  public static GenericKubernetesResource of(String kind, int number, Object spec) {
    var object =
        Map.of(
            "apiVersion",
            "placement.prescale.io/v1alpha1",
            "kind",
            kind,
            "metadata",
            Map.of("namespace", "team", "name", "made-" + number, "uid", "uid-" + number),
            "spec",
            spec);
    return JSON.unmarshal(JSON.asJson(object), GenericKubernetesResource.class);
  }
}
