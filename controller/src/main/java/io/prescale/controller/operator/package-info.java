/**
 * Reconciles PredictiveHPAs: reads their specs, observes targets and pods, runs their scaling
 * cycles and writes statuses and HPAs.
 */
@NullMarked
package io.prescale.controller.operator;

import org.jspecify.annotations.NullMarked;
