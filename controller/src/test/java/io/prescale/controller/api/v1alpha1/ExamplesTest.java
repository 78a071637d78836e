package io.prescale.controller.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.prescale.controller.Checkout;
import io.prescale.controller.demand.preset.Presets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The examples of the chart against the types and the definition; the laboratory tries the rules.
 */
class ExamplesTest {
  static Stream<Path> examples() throws IOException {
    try (var files = Files.list(Checkout.root().resolve("charts/prescale/examples"))) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyFieldIsOneOfTheDefinition(Path example) throws IOException {
    var definition = Serialization.unmarshal(GeneratedCrd.yaml(), CustomResourceDefinition.class);
    var root = definition.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
    var spec = Serialization.unmarshal(Files.readString(example), JsonNode.class).get("spec");
    var unknown = new ArrayList<String>();

    collectUnknown("spec", spec, Schemas.at(root, "spec"), unknown);

    assertThat(unknown).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyMetricThatIsForecastHasAQuery(Path example) throws IOException {
    var resource = Serialization.unmarshal(Files.readString(example), PredictiveHPA.class);

    assertThat(resource.getSpec().forecastMetrics())
        .isNotEmpty()
        .allSatisfy(metric -> assertThat(Presets.promql(metric, "inference")).contains("sum("));
  }

  private static void collectUnknown(
      String path, JsonNode value, JSONSchemaProps schema, List<String> unknown) {
    if (value.isArray()) {
      value.forEach(
          item -> collectUnknown(path + "[]", item, schema.getItems().getSchema(), unknown));
    } else if (value.isObject()) {
      value
          .properties()
          .forEach(
              field -> {
                var known = schema.getProperties().get(field.getKey());
                if (known == null) {
                  unknown.add(path + "." + field.getKey());
                } else {
                  collectUnknown(path + "." + field.getKey(), field.getValue(), known, unknown);
                }
              });
    }
  }
}
