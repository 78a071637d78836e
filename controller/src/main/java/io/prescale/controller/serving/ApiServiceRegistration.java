package io.prescale.controller.serving;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.APIServiceBuilder;
import io.fabric8.kubernetes.api.model.APIServiceCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Maintains the cluster's APIService of external metrics and its {@code caBundle}. An APIService of
 * another adapter is left alone, or taken over with an annotation of what it was, so that requests
 * pass through to that adapter; without passing through, it is given back.
 */
final class ApiServiceRegistration {
  static final String NAME = "v1beta1.external.metrics.k8s.io";

  /** When it was given back; who runs since before that does not take it again. */
  static final String GIVEN_BACK = "autoscaling.prescale.io/given-back";

  static final String MADE_BY = "app.kubernetes.io/managed-by";
  private static final int PRIORITY = 100;

  /** An API server that has not reached an adapter for this time is not about to. */
  private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(1);

  /** Without the chart's own, it may be missing because Prescale is being uninstalled. */
  private static final int LOOKS_BEFORE_CREATION = 6;

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Optional<PassingThrough> passing;
  private final String namespace;
  private final String service;
  private final int port;
  private boolean wasRead;
  private boolean wasThere;
  private int missing;

  /**
   * @param passing how requests reach the adapter before; empty when they do not
   */
  ApiServiceRegistration(
      KubernetesClient client,
      InstantSource clock,
      AdapterSettings settings,
      Optional<PassingThrough> passing) {
    this.client = client;
    this.clock = clock;
    this.passing = passing;
    this.namespace = settings.namespace();
    this.service = settings.service();
    this.port = settings.servicePort();
  }

  /**
   * Creates or corrects the APIService.
   *
   * @param caBundle authorities in PEM; without them, the existing bundle stays
   */
  Registration ensure(Optional<String> caBundle) {
    try {
      var there = client.apiServices().withName(NAME).get();
      wasRead = true;
      if (there == null && wasThere && ++missing < LOOKS_BEFORE_CREATION) {
        return new Registration.Unknown("it is gone; if that lasts a minute, it is made anew");
      }
      missing = 0;
      wasThere |= passing.isPresent();
      if (there == null && passing.isPresent() && caBundle.isEmpty()) {
        return new Registration.Unknown(
            "there is none, and without --tls-ca-file the API server could not verify Prescale");
      }
      if (there == null) {
        client.apiServices().resource(fresh(caBundle)).create();
        return Registration.Ours.alone();
      }
      return isOurs(there) ? kept(there, caBundle) : takenOver(there, caBundle);
    } catch (KubernetesClientException e) {
      return new Registration.Unknown(ApiFailure.text(e));
    }
  }

  /** Only reads who holds the APIService. */
  Registration look() {
    try {
      var there = client.apiServices().withName(NAME).get();
      wasRead = true;
      if (there == null) {
        return new Registration.Unknown("there is none");
      }
      return isOurs(there)
          ? new Registration.Ours(Optional.empty(), Optional.empty(), unreachable(there))
          : new Registration.HeldBy(holder(there), "this replica does not register itself");
    } catch (KubernetesClientException e) {
      return new Registration.Unknown(ApiFailure.text(e));
    }
  }

  /** Whether it is known who holds the APIService, or that there is none. */
  boolean wasRead() {
    return wasRead;
  }

  private boolean isOurs(APIService there) {
    return holder(there).equals(namespace + "/" + service);
  }

  private Registration kept(APIService there, Optional<String> caBundle) {
    var before = FormerOwner.keptBy(there);
    if (before.isPresent() && passing.isEmpty()) {
      update(before.get().restored(there));
      return new Registration.HeldBy(before.get().toString(), "it was given back");
    }
    var fault = before.flatMap(owner -> passing.orElseThrow().to(owner));
    var corrected = corrected(there, caBundle);
    boolean isCorrect = corrected.equals(there);
    if (!isCorrect) {
      update(corrected);
    }
    return new Registration.Ours(
        before.map(FormerOwner::toString),
        fault,
        isCorrect ? unreachable(there) : Optional.empty());
  }

  /** What the API server says of an adapter that it has not reached for long. */
  private Optional<String> unreachable(APIService there) {
    var status = there.getStatus();
    var conditions = status == null ? List.<APIServiceCondition>of() : status.getConditions();
    return conditions.stream()
        .filter(it -> it.getType().equals("Available") && it.getStatus().equals("False"))
        .filter(
            it ->
                Instant.parse(it.getLastTransitionTime())
                    .plus(LONGEST_OUTAGE)
                    .isBefore(clock.instant()))
        .findFirst()
        .map(it -> "%s: %s".formatted(it.getReason(), it.getMessage()));
  }

  private Registration takenOver(APIService there, Optional<String> caBundle) {
    var holder = holder(there);
    var owner = FormerOwner.of(there);
    if (passing.isEmpty() || owner.isEmpty()) {
      return new Registration.HeldBy(holder, "it is left alone");
    }
    var obstacle =
        caBundle.isEmpty()
            ? Optional.of("without --tls-ca-file the API server could not verify Prescale")
            : passing.get().obstacle(there, owner.get(), encoded(caBundle.get()));
    if (obstacle.isPresent()) {
      return new Registration.HeldBy(holder, obstacle.get());
    }
    update(taken(there, owner.get(), caBundle));
    return new Registration.Ours(Optional.of(holder), Optional.empty(), Optional.empty());
  }

  /** About the version that was read, so that of two replicas one takes it. */
  private void update(APIService changed) {
    client.apiServices().resource(changed).update();
  }

  private APIService taken(APIService there, FormerOwner owner, Optional<String> caBundle) {
    var marked =
        new APIServiceBuilder(there)
            .editMetadata()
            .addToAnnotations(FormerOwner.ANNOTATION, owner.toJson())
            .removeFromAnnotations(FormerOwner.INJECTED)
            .removeFromAnnotations(GIVEN_BACK)
            .endMetadata()
            .build();
    return corrected(marked, caBundle);
  }

  private APIService fresh(Optional<String> caBundle) {
    return new APIServiceBuilder()
        .withNewMetadata()
        .withName(NAME)
        .addToLabels(MADE_BY, "prescale")
        .endMetadata()
        .withNewSpec()
        .withGroup("external.metrics.k8s.io")
        .withVersion("v1beta1")
        .withGroupPriorityMinimum(PRIORITY)
        .withVersionPriority(PRIORITY)
        .withNewService(service, namespace, port)
        .withCaBundle(caBundle.map(ApiServiceRegistration::encoded).orElse(null))
        .endSpec()
        .build();
  }

  /** The APIService with verification on, and with this bundle unless cert-manager injects one. */
  private APIService corrected(APIService there, Optional<String> caBundle) {
    var annotations =
        Objects.requireNonNullElse(there.getMetadata().getAnnotations(), Map.<String, String>of());
    var bundle =
        annotations.containsKey(FormerOwner.INJECTED)
            ? there.getSpec().getCaBundle()
            : caBundle.map(ApiServiceRegistration::encoded).orElse(there.getSpec().getCaBundle());
    return new APIServiceBuilder(there)
        .editSpec()
        .withNewService(service, namespace, port)
        .withCaBundle(bundle)
        .withInsecureSkipTLSVerify(null)
        .endSpec()
        .build();
  }

  private static String holder(APIService there) {
    var reference = there.getSpec().getService();
    return reference == null
        ? "the API server itself"
        : reference.getNamespace() + "/" + reference.getName();
  }

  private static String encoded(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8));
  }
}
