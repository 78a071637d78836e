package io.prescale.controller.operator.hpa;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/**
 * Whether an object already says all that another one says. The server adds fields of its own, such
 * as defaults, and writes quantities in its canonical form.
 */
final class Inclusion {

  private final KubernetesSerialization json;

  Inclusion(KubernetesSerialization json) {
    this.json = json;
  }

  boolean includes(Object live, Object desired) {
    return includes(
        json.convertValue(live, JsonNode.class), json.convertValue(desired, JsonNode.class));
  }

  private static boolean includes(JsonNode live, JsonNode desired) {
    if (desired.isObject()) {
      return live.isObject()
          && desired
              .propertyStream()
              .allMatch(field -> includes(live.path(field.getKey()), field.getValue()));
    }
    if (desired.isArray()) {
      if (!live.isArray() || live.size() != desired.size()) {
        return false;
      }
      for (int i = 0; i < desired.size(); i++) {
        if (!includes(live.get(i), desired.get(i))) {
          return false;
        }
      }
      return true;
    }
    return live.equals(desired) || sameQuantity(live, desired);
  }

  private static boolean sameQuantity(JsonNode live, JsonNode desired) {
    if (!live.isTextual() || !desired.isTextual()) {
      return false;
    }
    try {
      return Quantity.getAmountInBytes(new Quantity(live.textValue()))
              .compareTo(Quantity.getAmountInBytes(new Quantity(desired.textValue())))
          == 0;
    } catch (IllegalArgumentException | ArithmeticException _) { // words
      return false;
    }
  }
}
