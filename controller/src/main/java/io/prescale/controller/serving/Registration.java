package io.prescale.controller.serving;

/** The adapter that serves the cluster's external metrics. */
public sealed interface Registration {
  /** This adapter. */
  record Ours() implements Registration {}

  /**
   * Another adapter, which keeps its APIService.
   *
   * @param holder the service that the APIService refers to, as namespace/name
   */
  record HeldBy(String holder) implements Registration {
    /** A sentence on what to do. */
    public String advice() {
      return ("APIService %s points to %s and is left alone; remove that adapter, or run prescale"
              + " without registering")
          .formatted(ApiServiceRegistration.NAME, holder);
    }
  }

  /** Not known, because the cluster did not answer or refused. */
  record Unknown(String reason) implements Registration {}
}
