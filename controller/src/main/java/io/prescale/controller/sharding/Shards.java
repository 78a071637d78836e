package io.prescale.controller.sharding;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ClusterAccess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards that this replica works on, of {@value #COUNT}: a replica shows that it lives by a
 * heartbeat, takes shards whose holder is silent or gone until it has its share, and leaves what is
 * beyond its share to others. It stops writing for a shard before another can hold it. Thread-safe.
 */
public final class Shards implements AutoCloseable {
  /** As many as there are pages of served values, so that each page has one writer. */
  public static final int COUNT = 32;

  /** The ConfigMap with the heartbeats. */
  public static final String HEARTBEATS = ShardLeases.HEARTBEATS;

  private static final Logger LOG = LoggerFactory.getLogger(Shards.class);

  /** A request that takes longer has cost most of the time that a heartbeat is good for. */
  private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  private final KubernetesClient client;
  private final String identity;
  private final ShardTimes times;
  private final SharedWork work;
  private final ShardCycle cycle;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("shards-", 0).factory());

  /** Ends a pause. */
  private final Semaphore wake = new Semaphore(0);

  private volatile boolean leaving;
  private volatile boolean closed;

  /** Only for the thread. */
  private boolean isTroubled;

  /**
   * A replica that has not joined the others yet.
   *
   * @param leader name of the Lease by which one replica leads, under {@link #leader}'s name
   * @param identity of this replica, different from every other's; a key of a ConfigMap
   * @param nanoTime a monotonic clock such as {@link System#nanoTime}
   */
  public Shards(
      KubernetesClient client,
      String namespace,
      String leader,
      String identity,
      InstantSource clock,
      LongSupplier nanoTime,
      SharedWork work) {
    this(client, namespace, leader, identity, clock, nanoTime, ShardTimes.USUAL, work);
  }

  Shards(
      KubernetesClient client,
      String namespace,
      String leader,
      String identity,
      InstantSource clock,
      LongSupplier nanoTime,
      ShardTimes times,
      SharedWork work) {
    this.client = ClusterAccess.apart(client, LONGEST_REQUEST);
    this.identity = identity;
    this.times = times;
    this.work = work;
    var leases = new ShardLeases(this.client, namespace, leader);
    this.cycle = new ShardCycle(leases, identity, clock, nanoTime, times, work::moved);
  }

  /** The shard of a position among all, from 0 to below 1. */
  public static int of(double position) {
    return (int) (position * COUNT);
  }

  /** The name of a shard's Lease. */
  public static String lease(int shard) {
    return ShardLeases.name(shard);
  }

  /**
   * Under which name a replica that shares the work leads. While another name is in the Lease, that
   * replica does all the work, and shards are not claimed.
   */
  public static String leader(String identity) {
    return identity + ShardCycle.SHARING;
  }

  /** Joins the other replicas. */
  public void start() {
    thread.execute(this::run);
  }

  /** Whether this replica may write for a shard at this moment. */
  public boolean holds(int shard) {
    return !leaving && !closed && cycle.holds(shard);
  }

  /**
   * Whether a shard is this replica's, as far as it knows; it may not write for it while its
   * heartbeat fails.
   */
  public boolean owns(int shard) {
    return cycle.own().contains(shard);
  }

  /** How many shards are this replica's. */
  public int count() {
    return cycle.own().size();
  }

  /** Leaves all shards to other replicas; this one begins anew soon. */
  public void resign() {
    leaving = true;
    wake.release();
  }

  /** Ends the work and releases the shards, so that other replicas take them at once. */
  @Override
  public void close() {
    closed = true;
    wake.release();
    thread.shutdown();
    try {
      if (!thread.awaitTermination(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    client.close();
  }

  private void run() {
    try {
      while (!closed) {
        if (begin()) {
          while (!leaving && !closed) {
            cycleUnlessItFails();
            work.worksOn(cycle.trusted());
            pause();
          }
          leave();
        }
        pause();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // the process ends
    }
  }

  private void pause() throws InterruptedException {
    if (!closed) {
      var _ = wake.tryAcquire(times.beat().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** A replica whose work cannot begin shows no heartbeat: its share would not be worked on. */
  private boolean begin() {
    try {
      leaving = false;
      work.begin();
      return true;
    } catch (RuntimeException e) {
      LOG.error("The work could not begin; it is tried again.", e);
      return false;
    }
  }

  private void leave() {
    cycle.stop();
    end();
    try {
      cycle.leave();
    } catch (KubernetesClientException e) {
      LOG.warn("The shards could not be released: {}", ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error(
          "The shards could not be released; others take them when this replica is silent", e);
    }
  }

  private void end() {
    try {
      work.end();
    } catch (RuntimeException e) {
      LOG.error("The work could not end; its shards are released all the same.", e);
    }
  }

  private void cycleUnlessItFails() {
    int before = count();
    try {
      cycle.run();
      if (isTroubled) {
        LOG.info("The heartbeat reaches the API server again.");
      }
      isTroubled = false;
    } catch (KubernetesClientException e) {
      if (!isTroubled) {
        LOG.warn("Heartbeat or Leases of shards: {}", ApiFailure.text(e));
      }
      isTroubled = true;
    } catch (RuntimeException e) { // a defect must not silence this replica
      LOG.error("Shards could not be looked after; this replica begins anew.", e);
      leaving = true;
    }
    if (count() != before) {
      LOG.info("{} works on {} of {} shards.", identity, count(), COUNT);
    }
  }
}
