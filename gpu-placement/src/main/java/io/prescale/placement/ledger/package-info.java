/**
 * Which pod has which cards of the cluster, and where the next one goes. Kept up to date event by
 * event; knows no API server, no HTTP and no clock.
 */
@NullMarked
package io.prescale.placement.ledger;

import org.jspecify.annotations.NullMarked;
