package io.prescale.placement.ledger;

import java.time.Instant;

/**
 * A decision about a pod, for display.
 *
 * @param node where it goes; empty when it goes nowhere
 * @param reason a sentence
 */
public record PlacementDecision(Instant at, String pod, String node, String reason) {}
