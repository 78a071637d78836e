package io.prescale.controller.scheduler.claims;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.CurrentWatches;
import io.prescale.placement.claims.ClaimLedger;
import io.prescale.placement.claims.Step;
import io.prescale.placement.inventory.PodFacts.Group;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pins the claims of waiting pods to cards, one round of writes after the other. */
public final class ClaimPlanner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimPlanner.class);
  private static final int WRITES_AT_ONCE = 8;
  private static final int CLIENT_ERROR = 400;
  private static final int SERVER_ERROR = 500;

  /** A round also runs without an event, for pods that kube-scheduler did not take. */
  private static final int IDLE_SECONDS = 1;

  /** The back-off after a refusal, which the API server would only repeat. */
  private static final Duration UNTIL_AGAIN = Duration.ofSeconds(10);

  private final ClaimLedger ledger;
  private final ClaimWriter writer;
  private final ClaimFeed feed;
  private final InstantSource clock;
  private final BooleanSupplier leads;
  private final Semaphore changed = new Semaphore(0);
  private final Thread rounds = Thread.ofPlatform().name("claims").daemon().unstarted(this::run);

  private ClaimPlanner(
      KubernetesClient client,
      SharedIndexInformer<Node> nodes,
      SharedIndexInformer<Pod> pods,
      Function<Pod, Optional<Group>> group,
      ClaimLedger ledger,
      InstantSource clock,
      BooleanSupplier leads,
      CurrentWatches watches) {
    this.ledger = ledger;
    this.clock = clock;
    this.leads = leads;
    writer = new ClaimWriter(client);
    feed = ClaimFeed.start(client, nodes, pods, group, ledger, changed::release, watches);
  }

  /**
   * Starts watching devices and claims, and writing while this replica leads.
   *
   * @param group of a pod, if it is of one
   * @param leads whether all is known and no other replica writes
   * @param watches to which its own belong
   */
  public static ClaimPlanner start(
      KubernetesClient client,
      SharedIndexInformer<Node> nodes,
      SharedIndexInformer<Pod> pods,
      Function<Pod, Optional<Group>> group,
      ClaimLedger ledger,
      InstantSource clock,
      BooleanSupplier leads,
      CurrentWatches watches) {
    var planner = new ClaimPlanner(client, nodes, pods, group, ledger, clock, leads, watches);
    planner.rounds.start();
    return planner;
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        var _ = changed.tryAcquire(IDLE_SECONDS, TimeUnit.SECONDS);
        changed.drainPermits();
        if (leads.getAsBoolean()) {
          tryRound();
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void tryRound() {
    try (var writes = Executors.newFixedThreadPool(WRITES_AT_ONCE, Thread.ofVirtual().factory())) {
      ledger.steps(clock.instant()).forEach(step -> writes.execute(() -> write(step)));
    } catch (RuntimeException e) {
      LOG.error("A round of claims failed and is retried.", e);
    }
  }

  private void write(Step step) {
    try {
      switch (step) {
        case Step.Pinned pinned -> {
          if (!writer.make(pinned)) {
            ledger.failed(step.pod().uid(), clock.instant());
          }
        }
        case Step.Replaced replaced -> writer.delete(replaced);
        case Step.Released released -> writer.release(released.pod());
      }
    } catch (KubernetesClientException e) {
      failed(step, e);
    }
  }

  /** A conflict means that the object has changed; its event starts the next round. */
  private void failed(Step step, KubernetesClientException e) {
    int code = e.getCode();
    if (ApiFailure.isConflict(e) || code == HttpURLConnection.HTTP_NOT_FOUND) {
      LOG.debug("Pod {} has changed meanwhile: {}", step.pod().display(), e.getMessage());
      return;
    }
    LOG.warn("The claim of pod {} waits: {}", step.pod().display(), e.getMessage());
    boolean isRefused = code >= CLIENT_ERROR && code < SERVER_ERROR;
    if (isRefused && step instanceof Step.Pinned) {
      ledger.failed(step.pod().uid(), clock.instant().plus(UNTIL_AGAIN));
    }
  }

  @Override
  public void close() {
    rounds.interrupt();
    feed.close();
  }
}
