package io.prescale.controller.telemetry;

import io.prescale.controller.aggregation.Registration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a replica can say about its part as a server of external metrics; asked at each scrape.
 *
 * @param registration who serves the cluster; empty when this replica does not look after it
 * @param certificateEnds when the serving certificate is no longer valid
 */
public record ServingState(
    Supplier<Optional<Registration>> registration, Supplier<Instant> certificateEnds) {}
