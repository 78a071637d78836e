package io.prescale.adapter.api;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One health check.
 *
 * @param name name in reports and in the path {@code /readyz/{name}}
 * @param fault the current fault in a few words; empty if the check passes
 */
public record HealthCheck(String name, Supplier<Optional<String>> fault) {}
