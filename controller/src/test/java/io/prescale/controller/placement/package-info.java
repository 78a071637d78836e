/** Tests of the ledger. */
@NullMarked
package io.prescale.controller.placement;

import org.jspecify.annotations.NullMarked;
