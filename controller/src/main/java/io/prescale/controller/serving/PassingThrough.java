package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.WrittenTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;

/**
 * Requests for metrics that are not Prescale's pass through to the adapter that had the APIService
 * before.
 */
final class PassingThrough implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final OtherAdapter other;
  private final OtherAdapter own;
  private final AdapterSettings settings;
  private final Instant startedAt;

  /**
   * Nothing is known of another adapter yet.
   *
   * @param host by which an adapter is reached; its Service's name in a cluster
   */
  PassingThrough(
      KubernetesClient client,
      AdapterSettings settings,
      Function<FormerOwner, String> host,
      InstantSource clock) {
    boolean alsoUnverified = settings.passThrough() == AdapterSettings.PassThrough.UNVERIFIED;
    this.other = new OtherAdapter(client, host, alsoUnverified, PATIENCE);
    this.own = new OtherAdapter(client, host, false, PATIENCE);
    this.settings = settings;
    this.startedAt = clock.instant();
  }

  /** Where metrics are asked for that are not Prescale's. */
  OtherAdapter other() {
    return other;
  }

  /**
   * This replica passes requests on from now on, before the first one comes.
   *
   * @return why the adapter does not answer, if it does not
   */
  Optional<String> to(FormerOwner owner) {
    other.use(owner);
    return other.fault();
  }

  /**
   * Why the APIService cannot be taken over; empty when both the adapter and Prescale's own Service
   * answer over verified TLS as the API server would ask them.
   *
   * @param caBundle of Prescale's own certificate, PEM in base64
   */
  Optional<String> obstacle(APIService there, FormerOwner owner, String caBundle) {
    var fault = to(owner);
    if (isGivenBack(there)) {
      return Optional.of("it was given back; restart Prescale to take it again");
    }
    own.use(
        new FormerOwner(
            settings.namespace(),
            settings.service(),
            settings.servicePort(),
            caBundle,
            null,
            owner.groupPriorityMinimum(),
            owner.versionPriority(),
            null));
    return fault.or(() -> own.fault().map(it -> "Prescale's own Service is not ready: " + it));
  }

  private boolean isGivenBack(APIService there) {
    var annotations = there.getMetadata().getAnnotations();
    var at = annotations == null ? null : annotations.get(ApiServiceRegistration.GIVEN_BACK);
    return WrittenTime.read(at).filter(it -> !it.isBefore(startedAt)).isPresent();
  }

  @Override
  public void close() {
    other.close();
    own.close();
  }
}
