@NullMarked
package io.prescale.controller.scheduler.warm;

import org.jspecify.annotations.NullMarked;
