package io.prescale.controller.api.v1alpha1;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.Objects;

/** Finds parts of a schema. */
final class Schemas {
  private Schemas() {}

  /** The schema of a field, by the names on the way to it; {@code []} is an item of a list. */
  static JSONSchemaProps at(JSONSchemaProps schema, String... path) {
    var found = schema;
    for (var step : path) {
      found =
          Objects.requireNonNull(
              step.equals("[]") ? found.getItems().getSchema() : found.getProperties().get(step),
              step);
    }
    return found;
  }
}
