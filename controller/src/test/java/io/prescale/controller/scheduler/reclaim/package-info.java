@NullMarked
package io.prescale.controller.scheduler.reclaim;

import org.jspecify.annotations.NullMarked;
