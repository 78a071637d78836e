package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.Lock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects the replica that writes: the holder of a Lease. A replica that loses it continues as a
 * follower and stands again; one that dies is replaced within 10 s plus one retry of at most 3.3 s.
 */
public final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  /** Shorter than the usual 15 s, which with jitter would exceed the extender's promise of 15 s. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** Other replicas use their own clocks, which may be ahead of this one's by the difference. */
  private static final Duration TRUSTED = Duration.ofSeconds(8);

  private static final Duration RENEW_DEADLINE = Duration.ofSeconds(7);

  /** The client library waits up to 2.2 times as long. */
  private static final Duration RETRY = Duration.ofMillis(1500);

  /** A busy API server has longer for the release than a renewal takes: the next leader waits. */
  private static final Duration TIME_TO_RELEASE = Duration.ofSeconds(5);

  /** Of its own, because other requests must not delay a renewal. */
  private final KubernetesClient client;

  private final Lock lock;
  private final Term term;
  private final LongSupplier nanoTime;

  /** Runs the elector, whose threads wait for the API server. */
  private final ExecutorService waiting = Executors.newVirtualThreadPerTaskExecutor();

  /** Begins and ends terms one after the other, even if leadership changes quickly. */
  private final ExecutorService terms =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("terms-", 0).factory());

  private volatile boolean elected;
  private volatile long renewedAt;
  private volatile boolean closed;

  /** That the election which is beginning is to end, because its term has already failed. */
  private volatile boolean resigned;

  private volatile @Nullable CompletableFuture<?> election;

  /** The leader's work. The two methods are called alternately on one thread and may take long. */
  public interface Term {
    /** Begins the work; an exception ends the term, so that another replica may try. */
    void begin();

    void end();

    /** Whether this replica stands for election at this moment. */
    default boolean mayStand() {
      return true;
    }
  }

  /**
   * Creates a replica that does not stand for election yet.
   *
   * @param lease name of the Lease
   * @param identity unique identity of this replica
   * @param nanoTime a monotonic clock such as {@link System#nanoTime}
   */
  public Leadership(
      KubernetesClient client,
      String namespace,
      String lease,
      String identity,
      LongSupplier nanoTime,
      Term term) {
    this.client = ClusterAccess.apart(client);
    this.lock = new TimedLease(namespace, lease, identity);
    this.nanoTime = nanoTime;
    this.term = term;
  }

  /** Stands for election until closed. */
  public void start() {
    if (closed || !term.mayStand()) {
      standAgain();
      return;
    }
    var config =
        new LeaderElectionConfig(
            lock,
            LEASE,
            RENEW_DEADLINE,
            RETRY,
            new LeaderCallbacks(this::begin, this::end, this::observe),
            true,
            "prescale");
    resigned = false;
    var running = new LeaderElector(client, config, waiting).start();
    election = running;
    var _ = running.whenComplete((_, _) -> standAgain());
    if (closed || resigned) {
      running.cancel(true);
    }
  }

  /**
   * Whether this replica may write now. False as soon as the last renewal is too old, even before
   * the elector notices, such as after the process was frozen.
   */
  public boolean leads() {
    return elected && nanoTime.getAsLong() - renewedAt < TRUSTED.toNanos();
  }

  /** Ends the term and releases the lease, so that another replica leads at once. */
  @Override
  public void close() {
    closed = true;
    elected = false;
    terms.execute(term::end);
    terms.close();
    resign();
    waiting.shutdown();
    awaitRelease();
    client.close();
  }

  private void awaitRelease() {
    try {
      if (!waiting.awaitTermination(TIME_TO_RELEASE.toMillis(), TimeUnit.MILLISECONDS)) {
        waiting.shutdownNow();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void standAgain() {
    if (!closed) {
      CompletableFuture.delayedExecutor(RETRY.toMillis(), TimeUnit.MILLISECONDS, waiting)
          .execute(this::start);
    }
  }

  private void begin() {
    elected = true;
    if (!closed) {
      terms.execute(this::work);
    }
  }

  private void work() {
    try {
      term.begin();
    } catch (RuntimeException e) {
      LOG.error("The leader's work could not begin; the lease is released.", e);
      resign();
    }
  }

  /** Gives the lease up; this replica or another begins a new term. */
  public void resign() {
    elected = false;
    resigned = true;
    var running = election;
    if (running != null) {
      running.cancel(true);
    }
  }

  private void end() {
    elected = false;
    if (!closed) {
      terms.execute(term::end);
    }
  }

  private void observe(@Nullable String leader) {
    LOG.info(
        "{} leads; this replica is {}.", leader == null ? "No replica" : leader, lock.identity());
  }

  /**
   * Records when this replica last held the lease, and logs its faults. The elector's own log, a
   * stack trace for each attempt, is turned off in {@code simplelogger.properties}.
   */
  private final class TimedLease extends LeaseLock {
    private final ApiServerFaults faults;

    /** That the last write met another one: no fault, unless it happens again without any since. */
    private boolean wasBeaten;

    private @Nullable ZonedDateTime seenRenewal;

    TimedLease(String namespace, String name, String identity) {
      super(namespace, name, identity);
      var lease = "The Lease %s/%s".formatted(namespace, name);
      faults =
          new ApiServerFaults(
              lease + " cannot be read or written", lease + " is read and written again");
    }

    @Override
    public synchronized @Nullable LeaderElectionRecord get(KubernetesClient with) {
      var held = logged(() -> super.get(with));
      if (held != null && !Objects.equals(held.getRenewTime(), seenRenewal)) {
        seenRenewal = held.getRenewTime();
        wasBeaten = false;
      }
      return held;
    }

    @Override
    public synchronized void create(KubernetesClient with, LeaderElectionRecord leader) {
      write(() -> super.create(with, leader));
    }

    @Override
    public synchronized void update(KubernetesClient with, LeaderElectionRecord leader) {
      write(() -> super.update(with, leader));
    }

    private void write(Runnable request) {
      long now = nanoTime.getAsLong();
      var _ =
          logged(
              () -> {
                request.run();
                return now;
              });
      renewedAt = now;
      wasBeaten = false;
    }

    private <T extends @Nullable Object> T logged(Supplier<T> request) {
      try {
        T answer = request.get();
        faults.succeeded(now()).ifPresent(LOG::info);
        return answer;
      } catch (KubernetesClientException e) {
        if (!ApiFailure.isConflict(e) || elected || wasBeaten) {
          faults.failed(e, now()).ifPresent(LOG::warn);
        }
        wasBeaten |= ApiFailure.isConflict(e);
        throw e;
      } catch (RuntimeException e) { // after any other the elector would not try again
        var why = "it makes no sense: " + e;
        faults.failed(new IllegalStateException(why, e), now()).ifPresent(LOG::warn);
        throw new KubernetesClientException(why, e);
      }
    }

    /** Only differences count. */
    private Instant now() {
      return Instant.EPOCH.plusNanos(nanoTime.getAsLong());
    }
  }
}
