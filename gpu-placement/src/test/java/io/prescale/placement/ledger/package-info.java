/** Tests of the ledger. */
@NullMarked
package io.prescale.placement.ledger;

import org.jspecify.annotations.NullMarked;
