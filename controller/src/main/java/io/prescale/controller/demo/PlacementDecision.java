package io.prescale.controller.demo;

import java.time.Instant;

/**
 * What the placement engine decided about a pod.
 *
 * @param node where it goes; empty when it goes nowhere
 * @param reason a sentence of the engine
 */
record PlacementDecision(Instant at, String pod, String node, String reason) {}
