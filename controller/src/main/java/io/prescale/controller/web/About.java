package io.prescale.controller.web;

import java.time.Instant;
import java.util.Optional;

/**
 * What the page is about.
 *
 * @param now by the clock of what is shown
 * @param speed of that clock, 1 is real time
 * @param externalMetrics where the metrics API answers, if it is shown
 */
public record About(
    String title, boolean demo, Instant now, double speed, Optional<String> externalMetrics) {}
