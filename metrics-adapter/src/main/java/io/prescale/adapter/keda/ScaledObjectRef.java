package io.prescale.adapter.keda;

import java.util.Map;

/**
 * The trigger that KEDA asks for, with all of its metadata.
 *
 * @param name of the ScaledObject
 * @param namespace of the ScaledObject, and so of the PredictiveHPA
 */
record ScaledObjectRef(String name, String namespace, Map<String, String> metadata) {
  ScaledObjectRef {
    metadata = Map.copyOf(metadata);
  }
}
