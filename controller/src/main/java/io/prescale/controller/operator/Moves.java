package io.prescale.controller.operator;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.ResourceAction;
import io.javaoperatorsdk.operator.processing.event.source.controller.ResourceEvent;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Has PredictiveHPAs reconciled that have moved to this replica or to another one; new for each
 * term.
 */
final class Moves extends AbstractEventSource<Void, PredictiveHPA> {
  private final IndexerResourceCache<PredictiveHPA> all;

  /**
   * Nothing has moved yet.
   *
   * @param all PredictiveHPAs, of this replica's shards and of others'
   */
  Moves(IndexerResourceCache<PredictiveHPA> all) {
    super(Void.class, "moves");
    this.all = all;
  }

  void reconcile(Predicate<PredictiveHPA> those) {
    all.list(those).forEach(this::reconcile);
  }

  /** As if it had changed: the SDK passes other events only on of what it reconciled before. */
  private void reconcile(PredictiveHPA resource) {
    var id = ResourceID.fromResource(resource);
    getEventHandler().handleEvent(new ResourceEvent(ResourceAction.UPDATED, id, resource));
  }

  @Override
  public Set<Void> getSecondaryResources(PredictiveHPA resource) {
    return Set.of();
  }
}
