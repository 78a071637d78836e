package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.UsedHeap;
import java.util.Map;
import java.util.function.Consumer;

/** Objects of placement.prescale.io with {@link AdmittedSpecs}. */
public final class AdmittedObjects {
  /** How many each kind has in all. */
  public static final int SPECS = 5_000;

  /** How many there are at a time. */
  public static final int AT_ONCE = 20;

  private static final long SEED = 15;
  private static final int WARM = 500;
  private static final long MAY_STAY = 16L << 20;
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  private AdmittedObjects() {}

  /**
   * Hands so many, a few of them again and again, to one that must never fail, and that keeps only
   * the newest of each.
   */
  public static void each(
      String kind, JSONSchemaProps schema, Consumer<GenericKubernetesResource> consumer) {
    var specs = new AdmittedSpecs(SEED);
    long before = 0;
    for (int i = 0; i < SPECS; i++) {
      before = i == WARM ? UsedHeap.now() : before; // classes and caches
      var resource = of(kind, i % AT_ONCE, specs.any(schema));
      assertThatCode(() -> consumer.accept(resource))
          .as("seed %d: %s", SEED, resource)
          .doesNotThrowAnyException();
    }
    assertThat(UsedHeap.now() - before).as("bytes that are kept").isLessThan(MAY_STAY);
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
