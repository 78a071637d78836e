@NullMarked
package io.prescale.controller.plan.live;

import org.jspecify.annotations.NullMarked;
