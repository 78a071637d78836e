/** Tests of the devices of ResourceSlices and of claims for them. */
@NullMarked
package io.prescale.controller.dra;

import org.jspecify.annotations.NullMarked;
