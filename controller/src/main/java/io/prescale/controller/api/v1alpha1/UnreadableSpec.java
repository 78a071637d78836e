package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A spec that the API server accepted and Java cannot read.
 *
 * @param json the spec as it was written
 * @param problem the field, its value and the remedy
 */
record UnreadableSpec(JsonNode json, String problem) {}
