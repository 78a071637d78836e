package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The watches without which a program does not answer, of kinds some of which a cluster may lack.
 * Thread-safe.
 */
public final class CurrentWatches implements AutoCloseable {
  private final InstantSource clock;
  private final List<CurrentWatch> all = new CopyOnWriteArrayList<>();

  public CurrentWatches(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * An informer, not started, whose watch is one of these.
   *
   * @param what is watched, in the plural
   * @param page how many are listed at a time
   */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(
      String what, FilterWatchListDeletable<T, ?, ?> objects, long page) {
    var informer = objects.withLimit(page).runnableInformer(0);
    all.add(CurrentWatch.ofOptional(what, informer, objects, clock));
    return informer;
  }

  /** Why the program should not answer; see {@link CurrentWatch#fault}. */
  public Optional<String> fault() {
    return all.stream().flatMap(watch -> watch.fault().stream()).findFirst();
  }

  @Override
  public void close() {
    all.forEach(CurrentWatch::close);
  }
}
