/**
 * What services will need within a day: demand by quantile, the quantile of sums, and whether what
 * was said came true. Pure.
 */
@NullMarked
package io.prescale.controller.plan;

import org.jspecify.annotations.NullMarked;
