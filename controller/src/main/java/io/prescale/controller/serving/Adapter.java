package io.prescale.controller.serving;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.adapter.MetricReadModel;
import io.prescale.adapter.api.ExternalMetricsApi;
import io.prescale.adapter.api.Health;
import io.prescale.adapter.api.HealthCheck;
import io.prescale.adapter.identity.Authenticator;
import io.prescale.adapter.identity.Authorizer;
import io.prescale.adapter.server.ServingCertificate;
import io.prescale.adapter.server.TlsSettings;
import io.prescale.controller.certificates.CertificateMaker;
import io.prescale.controller.certificates.Certificates;
import io.prescale.controller.certificates.KeyFiles;
import io.prescale.controller.certificates.KeyRotation;
import io.prescale.controller.certificates.KeySecret;
import io.prescale.controller.certificates.ServingKeys;
import io.prescale.controller.cluster.ApiServerFaults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The adapter in a cluster: answers external metrics from the read model, renews its certificate
 * and keeps its registration. Every replica of the program runs one, whether it leads or not.
 */
public final class Adapter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Adapter.class);
  private static final int UPKEEP_SECONDS = 60;

  /** Another program may write to the APIService while both serve; or it is to be reached soon. */
  private static final int UPKEEP_SECONDS_WATCHFUL = 10;

  private final ApiServerFaults ofCertificate =
      new ApiServerFaults(
          "The serving certificate stays as it is", "The serving certificate is kept again");
  private final ApiServerFaults ofRegistration =
      new ApiServerFaults(
          "The registration is not looked after", "The registration is looked after again");
  private final ExtensionAuthentication trust;
  private final ServingKeys keys;
  private final Optional<PassingThrough> passing;
  private final ApiServiceRegistration apiService;
  private final boolean registers;
  private final ExternalMetricsApi api;
  private final Clock clock;
  private final AtomicReference<ServingKeys.Current> current;
  private final AtomicReference<Registration> registration =
      new AtomicReference<>(new Registration.Unknown("not asked yet"));

  private final AtomicReference<Registration> lastKnown = new AtomicReference<>(registration.get());

  /** Whether the APIService has been read once. */
  private volatile boolean looked;

  private final ScheduledExecutorService upkeep =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("adapter-upkeep").daemon().factory());

  /**
   * An adapter that has not started, with the certificate that it will show.
   *
   * @param readyChecks what else must be well before requests are answered
   * @throws IOException if there is no certificate to show, because the files are not there or the
   *     cluster does not give out the Secret
   */
  public Adapter(
      KubernetesClient client,
      Clock clock,
      MetricReadModel metrics,
      AdapterSettings settings,
      List<HealthCheck> readyChecks)
      throws IOException {
    this.clock = clock;
    this.keys = keys(client, settings);
    this.current = new AtomicReference<>(keys.refresh(clock.instant()));
    this.trust = new ExtensionAuthentication(client);
    this.passing =
        settings.register() && settings.passThrough() != AdapterSettings.PassThrough.NONE
            ? Optional.of(new PassingThrough(client, settings, FormerOwner::host, clock))
            : Optional.empty();
    this.apiService = new ApiServiceRegistration(client, clock, settings, passing);
    this.registers = settings.register();
    this.api = api(client, metrics, settings, readyChecks);
  }

  /** Begins to watch whom the cluster trusts, and to look after certificate and registration. */
  public void start() {
    trust.start();
    upkeep.execute(this::upkeepAndAgain);
  }

  private void upkeepAndAgain() {
    upkeep();
    boolean isWatchful = passing.isPresent() || unserved().isPresent();
    var _ =
        upkeep.schedule(
            this::upkeepAndAgain,
            isWatchful ? UPKEEP_SECONDS_WATCHFUL : UPKEEP_SECONDS,
            TimeUnit.SECONDS);
  }

  /** What is answered; {@code /readyz} says when callers can be authenticated. */
  public ExternalMetricsApi api() {
    return api;
  }

  /** The certificate and the authorities of the moment. */
  public TlsSettings tls() {
    return TlsSettings.ofApi(this::certificate, trust);
  }

  private ExternalMetricsApi api(
      KubernetesClient client,
      MetricReadModel metrics,
      AdapterSettings settings,
      List<HealthCheck> readyChecks) {
    var authenticator =
        new Authenticator(trust, new ClusterTokenReviewer(client), settings.reviewTtl(), clock);
    var authentication =
        new HealthCheck(
            "authentication",
            () ->
                authenticator.isReady()
                    ? Optional.empty()
                    : Optional.of("extension-apiserver-authentication is not read yet"));
    var behind = // a replica that does not know yet where to pass requests on gets none
        new HealthCheck(
            "registration",
            () ->
                passing.isPresent() && !looked
                    ? Optional.of("the APIService is not read yet")
                    : Optional.empty());
    return new ExternalMetricsApi(
        metrics,
        passing.map(PassingThrough::other),
        authenticator,
        new Authorizer(new ClusterAccessReviewer(client), settings.reviewTtl(), clock),
        new Health(
            List.of(),
            Stream.concat(Stream.of(authentication, behind), readyChecks.stream()).toList()),
        settings.version(),
        clock,
        auditIds(settings.instance()));
  }

  /** Unlike those of other replicas and of earlier starts by the first half, then counted. */
  private Supplier<String> auditIds(String instance) {
    var origin = (instance + clock.instant()).getBytes(StandardCharsets.UTF_8);
    long first = UUID.nameUUIDFromBytes(origin).getMostSignificantBits();
    var count = new AtomicLong();
    return () -> new UUID(first, count.incrementAndGet()).toString();
  }

  private static ServingKeys keys(KubernetesClient client, AdapterSettings settings) {
    return switch (settings.certificates()) {
      case Certificates.FromFiles files -> new KeyFiles(files);
      case Certificates.SelfMade(var secret) ->
          new KeySecret(
              client,
              settings.namespace(),
              secret,
              new KeyRotation(new CertificateMaker(), names(settings)));
    };
  }

  /** The first is what the API server expects: {@code service.namespace.svc}. */
  private static List<String> names(AdapterSettings settings) {
    var name = settings.service() + "." + settings.namespace();
    return List.of(name + ".svc", name, settings.service(), name + ".svc.cluster.local");
  }

  /** Who serves the cluster's external metrics, as of the last look. */
  public Registration registration() {
    return registration.get();
  }

  /**
   * Why HPAs do not read this adapter's metrics, a sentence with the remedy. What is not known at
   * the moment is as it was last known.
   */
  public Optional<String> unserved() {
    return lastKnown.get().unserved();
  }

  /** Whether it keeps the registration, rather than the installation. */
  public boolean registers() {
    return registers;
  }

  /** The certificate that is shown at the moment. */
  public ServingCertificate certificate() {
    return current.get().certificate();
  }

  /** When it ends. */
  public Instant certificateEnds() {
    return certificate().chain().getFirst().getNotAfter().toInstant();
  }

  private void upkeep() {
    try {
      current.set(keys.refresh(clock.instant()));
      ofCertificate.succeeded(clock.instant()).ifPresent(LOG::info);
    } catch (IOException | RuntimeException e) {
      ofCertificate.failed(e, clock.instant()).ifPresent(LOG::warn);
    }
    try {
      look();
      ofRegistration.succeeded(clock.instant()).ifPresent(LOG::info);
    } catch (RuntimeException e) {
      ofRegistration.failed(e, clock.instant()).ifPresent(LOG::warn);
    }
  }

  private void look() {
    var now = registers ? apiService.ensure(current.get().caBundle()) : apiService.look();
    looked |= apiService.wasRead();
    lastKnown.updateAndGet(
        before ->
            now instanceof Registration.Unknown && !(before instanceof Registration.Unknown)
                ? before
                : now);
    if (!now.equals(registration.getAndSet(now))) {
      switch (now) {
        case Registration.Ours ours when ours.unserved().isPresent() ->
            LOG.warn("{}", ours.unserved().get());
        case Registration.Ours(_, var fault, _) when fault.isPresent() ->
            LOG.warn(
                "Requests for metrics of the adapter behind cannot be passed on: {}", fault.get());
        case Registration.Ours(var other, _, _) ->
            LOG.info(
                "APIService {} leads here{}",
                ApiServiceRegistration.NAME,
                other.map(it -> ", and what is not known here passes through to " + it).orElse(""));
        case Registration.HeldBy held when registers -> LOG.error("{}", held.advice());
        case Registration.HeldBy(var holder, _) ->
            LOG.info("HPAs read external metrics of {}", holder);
        case Registration.Unknown(var reason) ->
            LOG.warn("APIService {}: {}", ApiServiceRegistration.NAME, reason);
      }
    }
  }

  @Override
  public void close() {
    upkeep.shutdownNow();
    passing.ifPresent(PassingThrough::close);
    trust.close();
  }
}
