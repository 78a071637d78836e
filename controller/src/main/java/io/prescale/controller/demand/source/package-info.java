/** Reads the metrics of many targets from many servers, none of which can hold up the others. */
@NullMarked
package io.prescale.controller.demand.source;

import org.jspecify.annotations.NullMarked;
