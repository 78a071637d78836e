package io.prescale.controller.serving;

import java.util.Optional;

/** The adapter that serves the cluster's external metrics. */
public sealed interface Registration {
  /**
   * This adapter.
   *
   * @param passesThroughTo the adapter that serves what this one does not know, as namespace/name
   * @param fault why that adapter does not answer
   * @param unreachable why the API server has not reached this adapter for a while, in its words
   */
  record Ours(
      Optional<String> passesThroughTo, Optional<String> fault, Optional<String> unreachable)
      implements Registration {
    /** Without another adapter, and reached. */
    static Ours alone() {
      return new Ours(Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  /**
   * Another adapter, which keeps its APIService.
   *
   * @param holder the service that the APIService refers to, as namespace/name
   * @param why a clause
   */
  record HeldBy(String holder, String why) implements Registration {
    /** A sentence on what to do. */
    public String advice() {
      return ("APIService %s points to %s: %s; remove that adapter, let its metrics pass through"
              + " Prescale (--pass-through), or run prescale without registering")
          .formatted(ApiServiceRegistration.NAME, holder, why);
    }
  }

  /** Not known, because the cluster did not answer or refused. */
  record Unknown(String reason) implements Registration {}

  /** Why HPAs do not read this adapter's metrics, a sentence with the remedy. */
  default Optional<String> unserved() {
    return switch (this) {
      case Ours(_, _, var unreachable) ->
          unreachable.map(
              said ->
                  "APIService %s points to Prescale, and the API server does not reach it (%s); until it does, no HPA is made or adopted. Look at Service, network policies and certificate, and run prescale check."
                      .formatted(ApiServiceRegistration.NAME, said));
      case HeldBy(var holder, _) ->
          Optional.of(
              "APIService %s points to %s, so that an HPA would ask that adapter for Prescale's metrics. Let that adapter's metrics pass through Prescale (apiService.passThrough in the chart), or scale through KEDA (spec.scaleThrough)."
                  .formatted(ApiServiceRegistration.NAME, holder));
      case Unknown(var reason) ->
          Optional.of(
              "Whether APIService %s points to Prescale is not known (%s); until it does, no HPA is made or adopted."
                  .formatted(ApiServiceRegistration.NAME, reason));
    };
  }
}
