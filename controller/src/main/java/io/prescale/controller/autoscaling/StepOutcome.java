package io.prescale.controller.autoscaling;

import java.util.Optional;

/**
 * What a tick learned about one metric.
 *
 * @param metric its name
 * @param newStep whether a step was completed; without one there is nothing new to decide
 * @param missing why the metric is not known
 */
public record StepOutcome(String metric, boolean newStep, Optional<Reading.Missing> missing) {}
