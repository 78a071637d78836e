/**
 * Knows which pod has which cards of the cluster, and decides where the next one goes. Events keep
 * it up to date; it knows no API server, no HTTP and no clock.
 */
@NullMarked
package io.prescale.placement.ledger;

import org.jspecify.annotations.NullMarked;
