package io.prescale.controller.telemetry;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a replica can say about its part as a server of external metrics; asked at each scrape.
 *
 * @param holder who serves the cluster's external metrics; empty when this replica does not look
 *     after it
 * @param certificateEnds when the serving certificate is no longer valid
 */
public record ServingState(Supplier<Optional<Holder>> holder, Supplier<Instant> certificateEnds) {
  /** To whom the cluster's APIService leads. */
  public enum Holder {
    OURS,
    /** Another adapter has it. */
    TAKEN,
    /** The cluster did not say. */
    UNKNOWN
  }
}
