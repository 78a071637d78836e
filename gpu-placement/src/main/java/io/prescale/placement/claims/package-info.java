/**
 * Dynamic resource allocation: the devices of ResourceSlices, what claims ask for and hold, and the
 * cards to which a claim is pinned. Events keep it up to date; it knows no API server and no clock.
 */
@NullMarked
package io.prescale.placement.claims;

import org.jspecify.annotations.NullMarked;
