package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Handles an informer's events alike, whether an object is new or has changed. One that was deleted
 * and made again under its name while the informer saw nothing is reported as a change by the
 * informer: here the former is gone first.
 *
 * @param seen receives an object as it is now
 * @param gone receives the last known state of a deleted object
 */
public record ObjectEvents<T extends HasMetadata>(Consumer<T> seen, Consumer<T> gone)
    implements ResourceEventHandler<T> {
  @Override
  public void onAdd(T object) {
    seen.accept(object);
  }

  @Override
  public void onUpdate(T before, T object) {
    if (!Objects.equals(before.getMetadata().getUid(), object.getMetadata().getUid())) {
      gone.accept(before);
    }
    seen.accept(object);
  }

  @Override
  public void onDelete(T object, boolean unknown) {
    gone.accept(object);
  }
}
