package io.prescale.controller.scheduler.extender;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.MergePatch;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Ledger;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies kube-scheduler that there is room now for a pod that it has put aside. Any update of
 * such a pod puts it back into the queue, after its back-off of at most ten seconds; the update is
 * an annotation.
 */
final class Waker {
  /** The time at which room was found for the pod. */
  static final String ANNOTATION = "gpu.prescale.io/room-seen";

  private static final Logger LOG = LoggerFactory.getLogger(Waker.class);

  /**
   * The limit of one round, four of which run each second, so that a burst does not flood the API
   * server.
   */
  private static final int MOST = 20;

  private final KubernetesClient client;
  private final Ledger ledger;
  private final InstantSource clock;

  Waker(KubernetesClient client, Ledger ledger, InstantSource clock) {
    this.client = client;
    this.ledger = ledger;
    this.clock = clock;
  }

  /** Wakes the pods for which there is room, some at a time. */
  void wake() {
    var pods = ledger.awaken(MOST, clock.instant());
    pods.stream().filter(pod -> !wake(pod)).forEach(ledger::notWoken);
  }

  private boolean wake(PodFacts pod) {
    // The status, because the right to patch whole pods is a much greater one.
    var patch =
        "{\"metadata\":{\"uid\":\"%s\",\"annotations\":{\"%s\":\"%s\"}}}"
            .formatted(pod.uid(), ANNOTATION, clock.instant());
    try {
      var named = MergePatch.named(new Pod(), pod.namespace(), pod.name());
      MergePatch.sendByStatus(client, named, patch);
      LOG.debug("There is room for {}.", pod.display());
      return true;
    } catch (KubernetesClientException e) {
      LOG.debug("Pod {} was not woken: {}", pod.display(), ApiFailure.text(e));
      // The watch reports a pod that is gone.
      return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || ApiFailure.isConflict(e);
    }
  }
}
