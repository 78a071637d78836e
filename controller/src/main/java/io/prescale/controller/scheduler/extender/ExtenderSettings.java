package io.prescale.controller.scheduler.extender;

import io.prescale.adapter.server.Listener;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.controller.scheduler.moves.MoveSettings;
import io.prescale.controller.scheduler.warm.WarmSettings;
import io.prescale.placement.cluster.NetworkLevels;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;

/**
 * How the extender is run.
 *
 * @param port 0 for any
 * @param metricsPort where every caller may read {@link StatusPages}, on every address; 0 for any,
 *     empty for nowhere
 * @param tls empty for plain HTTP
 * @param needsClientCertificate whether only who shows one may ask
 * @param candidates how many nodes are offered for a pod at most, 1 to 10
 * @param patience how long a pod waits for its turn on a node; less than the scheduler's {@code
 *     httpTimeout}
 * @param lease which of several replicas acts; empty when there is one
 * @param longestHandOver after which a device plugin is taken for dead
 * @param claims whether the claims of pods are pinned to cards too
 * @param levels of the network, each named by a label of nodes; empty to find them by Topologies of
 *     Kueue and KAI or by labels that are known
 * @param queues whose objects say which queues there are
 * @param moves how pods are moved
 * @param webhook to which notices of taking back are posted; empty for nowhere
 * @param warm how images are pulled ahead
 * @param overcommit how much more memory cards promise than they have; empty for none
 */
public record ExtenderSettings(
    String host,
    int port,
    OptionalInt metricsPort,
    Optional<SSLContext> tls,
    boolean needsClientCertificate,
    int candidates,
    Duration patience,
    Duration longestHandOver,
    Optional<Lease> lease,
    boolean claims,
    Optional<NetworkLevels> levels,
    QueueSource queues,
    MoveSettings moves,
    Optional<URI> webhook,
    WarmSettings warm,
    Optional<MemoryOvercommit> overcommit) {
  /** The Lease that says which of several replicas acts. */
  public sealed interface Lease {
    /**
     * Of the extenders themselves: its holder alone answers.
     *
     * @param identity of this replica, different from every other's
     */
    record Own(String namespace, String name, String identity) implements Lease {}

    /**
     * Of the kube-schedulers, where each asks an extender of its own: the one beside its holder
     * alone does what it is not asked for.
     *
     * @param host on which this extender's kube-scheduler runs, with which its identity begins
     */
    record OfScheduler(String namespace, String name, String host) implements Lease {}
  }

  /** Scores have ten steps. */
  public static final int MOST_CANDIDATES = 10;

  public ExtenderSettings {
    requirePort("port", port);
    metricsPort.ifPresent(given -> requirePort("metrics port", given));
    if (port > 0 && metricsPort.orElse(0) == port) {
      throw new IllegalArgumentException(
          "the port and the metrics port are both %d; give different ones".formatted(port));
    }
    if (candidates < 1 || candidates > MOST_CANDIDATES) {
      throw new IllegalArgumentException(
          "%d candidates; give 1 to %d".formatted(candidates, MOST_CANDIDATES));
    }
    if (patience.isNegative() || longestHandOver.isNegative() || longestHandOver.isZero()) {
      throw new IllegalArgumentException(
          "patience %s and longest hand-over %s; give positive durations"
              .formatted(patience, longestHandOver));
    }
  }

  private static void requirePort(String what, int port) {
    if (port < 0 || port > Listener.HIGHEST_PORT) {
      throw new IllegalArgumentException(
          "the %s is %d; give 0 to %d".formatted(what, port, Listener.HIGHEST_PORT));
    }
  }
}
