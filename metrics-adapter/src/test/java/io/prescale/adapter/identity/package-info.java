/** Tests of the package of the same name. */
@NullMarked
package io.prescale.adapter.identity;

import org.jspecify.annotations.NullMarked;
