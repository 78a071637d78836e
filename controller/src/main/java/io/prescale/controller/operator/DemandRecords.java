package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.api.v1alpha1.ConditionReason;
import io.prescale.controller.api.v1alpha1.PredictiveHPA;
import io.prescale.controller.demand.prometheus.AllowedServers;
import io.prescale.controller.demand.prometheus.PrometheusServer;
import io.prescale.controller.operator.LiveTargets.Recorded;
import io.prescale.controller.operator.hpa.HpaFeatures;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where the demand of PredictiveHPAs is recorded. */
public final class DemandRecords {
  private final SpecReader specs;
  private final PrometheusServers servers;
  private final Optional<PrometheusServer> forAll;

  DemandRecords(SpecReader specs, PrometheusServers servers, Optional<PrometheusServer> forAll) {
    this.specs = specs;
    this.servers = servers;
    this.forAll = forAll;
  }

  /**
   * For a command. Without a server for all, each PredictiveHPA's own is asked, with what the
   * caller may read of its Secrets; none is asked at a loopback or link-local address, or the API
   * server's.
   *
   * @param forAll the server that is asked in place of any other
   */
  public static DemandRecords of(KubernetesClient client, Optional<PrometheusServer> forAll) {
    var allowed =
        AllowedServers.of(List.of("*")).andApiServer(client.getConfiguration().getMasterUrl());
    var servers = new PrometheusServers(client, System::nanoTime, Optional::empty, allowed, false);
    return new DemandRecords(new SpecReader(new HpaFeatures(true)), servers, forAll);
  }

  /**
   * What the metrics of a resource were by the minute, and how the resource is scaled.
   *
   * @throws NotReady when there is no server to ask, or the spec is invalid
   */
  public Recorded of(PredictiveHPA resource) throws NotReady {
    try {
      if (forAll.isEmpty()
          && resource.unreadable().isEmpty()
          && resource.getSpec().prometheus() == null) {
        throw new NotReady(
            ConditionReason.InvalidSpec,
            "it is recorded at the server that the controller knows; name it with --prometheus.");
      }
      return recorded(resource);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new NotReady(ConditionReason.InvalidSpec, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The same.
   *
   * @throws IllegalArgumentException when the spec is invalid
   */
  Recorded recorded(PredictiveHPA resource) throws NotReady {
    if (resource.unreadable().isPresent()) {
      throw new IllegalArgumentException(resource.unreadable().get());
    }
    var spec = resource.getSpec();
    var server =
        forAll.isPresent()
            ? forAll.get()
            : servers.server(resource.getMetadata().getNamespace(), spec.prometheus());
    var queries = Queries.of(resource, server, Duration.ofMinutes(1));
    return new Recorded(
        List.copyOf(queries.demands().values()), queries.leading(), specs.settings(spec));
  }
}
