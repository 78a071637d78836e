package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;

/**
 * A spec that the API server accepted and Java cannot read.
 *
 * @param json the spec as it was written; null if it was too large to be kept
 * @param problem the field, its value and the remedy
 */
record UnreadableSpec(JsonNode json, String problem) {
  static UnreadableSpec tooLarge(String problem) {
    return new UnreadableSpec(NullNode.instance, problem);
  }
}
