@NullMarked
package io.prescale.controller.scheduler.evictions;

import org.jspecify.annotations.NullMarked;
