/** Tests of the devices of ResourceSlices and of claims for them. */
@NullMarked
package io.prescale.placement.claims;

import org.jspecify.annotations.NullMarked;
