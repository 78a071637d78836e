package io.prescale.adapter.keda;

import java.util.List;
import java.util.Optional;

/** Port to the PredictiveHPAs of a cluster: what their specs declare, with or without a value. */
@FunctionalInterface
public interface DeclaredMetrics {
  /** The metrics of one PredictiveHPA, in the order of its spec; empty if there is none. */
  Optional<List<DeclaredMetric>> of(String namespace, String predictiveHpa);
}
