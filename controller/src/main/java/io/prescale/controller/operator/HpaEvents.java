package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.api.v1alpha1.ScaleThrough;
import io.prescale.controller.operator.hpa.HpaIndex;
import io.prescale.controller.operator.hpa.HpaPlanner;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the PredictiveHPAs of this replica that an event of an HPA concerns.
 *
 * @param all PredictiveHPAs, indexed by what they scale
 * @param index the index's name
 */
record HpaEvents(IndexerResourceCache<PredictiveHPA> all, String index, Duty duty) {
  /** The PredictiveHPA that keeps an HPA, or else those that read one of others. */
  Set<ResourceID> concerned(HorizontalPodAutoscaler hpa) {
    var namespace = hpa.getMetadata().getNamespace();
    return HpaPlanner.predictiveHpaOf(hpa)
        .map(name -> Stream.of(new ResourceID(name, namespace)))
        .orElseGet(
            () ->
                HpaIndex.targetKey(hpa).stream()
                    .flatMap(key -> all.byIndex(index, key).stream())
                    .filter(it -> it.getSpec().scaleThrough() != ScaleThrough.PrescaleHPA)
                    .map(ResourceID::fromResource))
        .filter(id -> all.get(id).filter(duty::isElsewhere).isEmpty())
        .collect(Collectors.toSet());
  }
}
