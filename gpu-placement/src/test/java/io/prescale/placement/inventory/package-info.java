/** Tests of the formats, with a decoder of their own. */
@NullMarked
package io.prescale.placement.inventory;

import org.jspecify.annotations.NullMarked;
