/** Tests of the metrics adapter. */
@NullMarked
package io.prescale.adapter;

import org.jspecify.annotations.NullMarked;
