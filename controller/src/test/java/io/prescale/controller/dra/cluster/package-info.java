/** Tests of what is watched and written of claims. */
@NullMarked
package io.prescale.controller.dra.cluster;

import org.jspecify.annotations.NullMarked;
