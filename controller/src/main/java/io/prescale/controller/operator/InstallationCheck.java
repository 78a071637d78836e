package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.APIServiceCondition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ClusterAccess;
import io.prescale.controller.cluster.ClusterException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Asks the API server whether an installation works: the definition, a leader, the registration,
 * and an answer by the route that the HPA takes.
 */
public final class InstallationCheck {
  private static final String DEFINITION = "predictivehpas.autoscaling.prescale.io";
  private static final String LEASE = "prescale";
  private static final String API_SERVICE = "v1beta1.external.metrics.k8s.io";
  private static final String API = "/apis/external.metrics.k8s.io/v1beta1";

  /** A leader renews its Lease every two seconds. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final String leaseNamespace;
  private final String service;

  /**
   * One thing that was looked at.
   *
   * @param subject what
   * @param problem what is wrong with it and what to do; empty when it is well
   */
  public record Finding(String subject, Optional<String> problem) {}

  InstallationCheck(KubernetesClient client, String leaseNamespace, String service) {
    this.client = client;
    this.leaseNamespace = leaseNamespace;
    this.service = service;
  }

  /**
   * Asks everything, also after a problem; a question that may not be asked is a problem.
   *
   * @param service that the APIService should point to, as namespace/name
   * @param registered whether the cluster's external metrics are to be Prescale's
   */
  public static List<Finding> run(
      ClusterAccess cluster, String leaseNamespace, String service, Instant now, boolean registered)
      throws ClusterException, IOException, InterruptedException {
    return cluster.work(
        client -> {
          requireKubernetes(client);
          return new InstallationCheck(client, leaseNamespace, service).run(now, registered);
        });
  }

  /** One sentence instead of a failure of every question. */
  private static void requireKubernetes(KubernetesClient client) throws ClusterException {
    try {
      var version = client.raw("/version");
      if (version == null || !version.contains("gitVersion")) {
        throw new ClusterException(
            "%s does not answer /version as a Kubernetes API server does; check the kubeconfig."
                .formatted(client.getMasterUrl()));
      }
    } catch (KubernetesClientException e) {
      if (ApiFailure.isUnanswered(e)) {
        throw e;
      }
    }
  }

  List<Finding> run(Instant now, boolean registered) {
    var definition = finding("definition of PredictiveHPA", this::definition);
    var leader = finding("leader", () -> leader(now));
    return registered
        ? List.of(
            definition,
            leader,
            finding("registration", this::registration),
            finding("external metrics", this::answer))
        : List.of(definition, leader);
  }

  private static Finding finding(String subject, Supplier<Optional<String>> question) {
    try {
      return new Finding(subject, question.get());
    } catch (KubernetesClientException e) {
      var who =
          e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
              ? "You may not look at it: "
              : "The API server: ";
      return new Finding(subject, Optional.of(who + ApiFailure.text(e)));
    }
  }

  private Optional<String> definition() {
    var definition =
        client.apiextensions().v1().customResourceDefinitions().withName(DEFINITION).get();
    if (definition == null) {
      return Optional.of("It is not there; apply it: prescale crd | kubectl apply -f -");
    }
    var conditions =
        definition.getStatus() == null
            ? List.<CustomResourceDefinitionCondition>of()
            : definition.getStatus().getConditions();
    boolean established =
        conditions.stream()
            .anyMatch(it -> it.getType().equals("Established") && it.getStatus().equals("True"));
    return established
        ? Optional.empty()
        : Optional.of(
            "The API server does not serve it; kubectl describe crd " + DEFINITION + " says why.");
  }

  private Optional<String> leader(Instant now) {
    var lease = client.leases().inNamespace(leaseNamespace).withName(LEASE).get();
    var renewed = lease == null ? null : lease.getSpec().getRenewTime();
    if (lease == null || renewed == null) {
      return Optional.of(
          "No replica has led in namespace %s yet; are the pods running?"
              .formatted(leaseNamespace));
    }
    var silence = Duration.between(renewed.toInstant(), now);
    if (silence.compareTo(LONGEST_SILENCE) > 0) {
      return Optional.of(
          "%s led last, %d s ago, and no replica leads now; are the pods running?"
              .formatted(lease.getSpec().getHolderIdentity(), silence.toSeconds()));
    }
    return Optional.empty();
  }

  private Optional<String> registration() {
    var registration = client.apiServices().withName(API_SERVICE).get();
    if (registration == null) {
      return Optional.of("There is no APIService %s; install Prescale.".formatted(API_SERVICE));
    }
    var reference = registration.getSpec().getService();
    var holder =
        reference == null ? "no service" : reference.getNamespace() + "/" + reference.getName();
    if (!holder.equals(service)) {
      return Optional.of(
          "APIService %s points to %s and not to %s; remove that adapter."
              .formatted(API_SERVICE, holder, service));
    }
    return available(registration)
        .filter(condition -> !condition.getStatus().equals("True"))
        .map(
            condition ->
                "It is not available (%s): %s"
                    .formatted(condition.getReason(), condition.getMessage()));
  }

  private static Optional<APIServiceCondition> available(APIService registration) {
    if (registration.getStatus() == null) {
      return Optional.empty();
    }
    return Objects.requireNonNullElse(
            registration.getStatus().getConditions(), List.<APIServiceCondition>of())
        .stream()
        .filter(condition -> condition.getType().equals("Available"))
        .findFirst();
  }

  private Optional<String> answer() {
    var answer = client.raw(API);
    return answer != null && answer.contains("APIResourceList")
        ? Optional.empty()
        : Optional.of("%s does not answer with its resources.".formatted(API));
  }
}
