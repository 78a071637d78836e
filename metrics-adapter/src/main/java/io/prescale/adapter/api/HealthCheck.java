package io.prescale.adapter.api;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One thing that has to be well.
 *
 * @param name as it is listed and as the path's last part names it
 * @param fault what is wrong now, in a few words; empty if nothing is
 */
public record HealthCheck(String name, Supplier<Optional<String>> fault) {}
