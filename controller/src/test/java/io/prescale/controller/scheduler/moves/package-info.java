@NullMarked
package io.prescale.controller.scheduler.moves;

import org.jspecify.annotations.NullMarked;
