/** Tests of the formats, with a decoder of their own. */
@NullMarked
package io.prescale.controller.inventory;

import org.jspecify.annotations.NullMarked;
