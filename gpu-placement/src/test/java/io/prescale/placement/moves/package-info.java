@NullMarked
package io.prescale.placement.moves;

import org.jspecify.annotations.NullMarked;
