/** Tests of the package of the same name. */
@NullMarked
package io.prescale.adapter.keda;

import org.jspecify.annotations.NullMarked;
