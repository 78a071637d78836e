package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * The watches of a program, of kinds some of which a cluster may lack. All have to be read once
 * before it answers. Thread-safe.
 */
public final class CurrentWatches implements AutoCloseable {
  private final InstantSource clock;
  private final List<CurrentWatch> all = new CopyOnWriteArrayList<>();

  public CurrentWatches(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * An informer, not started, of a kind that every cluster has. While it is refused, the program
   * does not answer by an old state of it, by which cards might be given out twice.
   *
   * @param what is watched, in the plural
   * @param page how many are listed at a time
   */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(
      String what, FilterWatchListDeletable<T, ?, ?> objects, long page) {
    var informer = objects.withLimit(page).runnableInformer(0);
    all.add(CurrentWatch.of(what, informer, objects, clock));
    return informer;
  }

  /** The same of a kind whose last known state stands while it is refused. */
  public <T extends HasMetadata> SharedIndexInformer<T> optional(
      String what, FilterWatchListDeletable<T, ?, ?> objects, long page) {
    var informer = objects.withLimit(page).runnableInformer(0);
    all.add(CurrentWatch.ofOptional(what, informer, objects, clock));
    return informer;
  }

  /** Why the program should not answer; see {@link CurrentWatch#fault}. Looks at each of them. */
  public Optional<String> fault() {
    var _ = outdated();
    return faults(CurrentWatch::isNeeded).stream().findFirst();
  }

  /** Of which kinds the last known state stands, and why. */
  public List<String> outdated() {
    return faults(Predicate.not(CurrentWatch::isNeeded));
  }

  private List<String> faults(Predicate<CurrentWatch> some) {
    return CurrentWatch.faults(all.stream().filter(some).toList());
  }

  @Override
  public void close() {
    all.forEach(CurrentWatch::close);
  }
}
