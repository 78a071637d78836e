/**
 * Dynamic resource allocation: the devices of ResourceSlices, what claims ask of them and hold, and
 * which card a claim is pinned to. Kept up to date event by event; knows no API server and no
 * clock.
 */
@NullMarked
package io.prescale.placement.claims;

import org.jspecify.annotations.NullMarked;
