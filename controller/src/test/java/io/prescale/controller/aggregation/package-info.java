/** Tests of the package of the same name. */
@NullMarked
package io.prescale.controller.aggregation;

import org.jspecify.annotations.NullMarked;
