/** How a forecast becomes a number of replicas: pure, the same in production and in a replay. */
@NullMarked
package io.prescale.controller.autoscaling;

import org.jspecify.annotations.NullMarked;
