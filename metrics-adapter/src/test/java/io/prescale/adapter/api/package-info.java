/** Tests of the package of the same name. */
@NullMarked
package io.prescale.adapter.api;

import org.jspecify.annotations.NullMarked;
