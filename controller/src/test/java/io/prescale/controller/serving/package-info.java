/** Tests of the package of the same name. */
@NullMarked
package io.prescale.controller.serving;

import org.jspecify.annotations.NullMarked;
