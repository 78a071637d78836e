/**
 * The {@code autoscaling/v2} HPA of a PredictiveHPA: what it should be, which other HPAs forbid it,
 * and the writes that bring one about or give an adopted one back.
 */
@NullMarked
package io.prescale.controller.operator.hpa;

import org.jspecify.annotations.NullMarked;
