/**
 * Services and work that may be paused on the same cards, in simulated time: pods, Jobs and notices
 * around the placement engine's ledger. Pure computation: time and randomness are arguments.
 */
@NullMarked
package io.prescale.controller.simulation.cards;

import org.jspecify.annotations.NullMarked;
