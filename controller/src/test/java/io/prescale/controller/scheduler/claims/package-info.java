/** Tests of what is watched and written of claims. */
@NullMarked
package io.prescale.controller.scheduler.claims;

import org.jspecify.annotations.NullMarked;
