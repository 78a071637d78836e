package io.prescale.controller.serving;

/** Who serves the external metrics of the cluster. */
public sealed interface Registration {
  /** This adapter. */
  record Ours() implements Registration {}

  /**
   * Somebody else, who keeps it.
   *
   * @param holder the service that the APIService leads to, as namespace/name
   */
  record HeldBy(String holder) implements Registration {
    /** What to do about it. */
    public String advice() {
      return ("APIService %s leads to %s and is left alone; remove that adapter, or run prescale"
              + " without registering")
          .formatted(ApiServiceRegistration.NAME, holder);
    }
  }

  /** Nobody knows: the cluster did not answer, or refused. */
  record Unknown(String reason) implements Registration {}
}
