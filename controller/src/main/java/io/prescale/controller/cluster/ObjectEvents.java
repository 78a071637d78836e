package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.function.Consumer;

/**
 * Handles an informer's events alike, whether an object is new or has changed.
 *
 * @param seen receives an object as it is now
 * @param gone receives the last known state of a deleted object
 */
public record ObjectEvents<T>(Consumer<T> seen, Consumer<T> gone)
    implements ResourceEventHandler<T> {
  @Override
  public void onAdd(T object) {
    seen.accept(object);
  }

  @Override
  public void onUpdate(T before, T object) {
    seen.accept(object);
  }

  @Override
  public void onDelete(T object, boolean unknown) {
    gone.accept(object);
  }
}
