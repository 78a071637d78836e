/**
 * The scheduler extender: what kube-scheduler asks over HTTP, what is known from watching the
 * cluster, and how a decision is written with the binding.
 */
@NullMarked
package io.prescale.controller.scheduler.extender;

import org.jspecify.annotations.NullMarked;
