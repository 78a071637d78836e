package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prescale.adapter.identity.TrustSettings;
import io.prescale.controller.cluster.BrokenWatch;
import io.prescale.controller.cluster.ObjectEvents;
import io.prescale.controller.serving.TrustDocument.UnusableTrustException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches {@code kube-system/extension-apiserver-authentication}, because a cluster changes its
 * authorities while servers run. The last valid content stays in force while it is missing or
 * malformed.
 */
final class ExtensionAuthentication implements Supplier<Optional<TrustSettings>>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExtensionAuthentication.class);
  private static final String NAMESPACE = "kube-system";
  private static final String NAME = "extension-apiserver-authentication";
  private static final Duration RESYNC = Duration.ofMinutes(10);

  private final SharedIndexInformer<ConfigMap> informer;
  private volatile Optional<TrustSettings> settings = Optional.empty();

  ExtensionAuthentication(KubernetesClient client) {
    informer =
        client
            .configMaps()
            .inNamespace(NAMESPACE)
            .withName(NAME)
            .runnableInformer(RESYNC.toMillis())
            .addEventHandler(new ObjectEvents<>(this::read, _ -> warnOfDeletion()));
    informer.exceptionHandler(BrokenWatch.retried(informer, "the API server's authorities"));
  }

  /** Starts watching, and retries until the cluster answers. */
  void start() {
    var _ = informer.start();
  }

  /** The current settings; empty until they have been read once. */
  @Override
  public Optional<TrustSettings> get() {
    return settings;
  }

  private static void warnOfDeletion() {
    LOG.warn("{}/{} was deleted; its last content stays in force", NAMESPACE, NAME);
  }

  private void read(ConfigMap map) {
    try {
      settings =
          Optional.of(TrustDocument.read(Objects.requireNonNullElse(map.getData(), Map.of())));
    } catch (UnusableTrustException e) {
      LOG.error(
          "{}/{} is not usable: {}; the last content stays in force",
          NAMESPACE,
          NAME,
          e.getMessage());
    }
  }

  @Override
  public void close() {
    informer.close();
  }
}
