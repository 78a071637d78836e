/**
 * The scheduler extender: what kube-scheduler asks over HTTP, how what is watched comes together in
 * the ledger, and how a decision is written with the binding.
 */
@NullMarked
package io.prescale.controller.scheduler.extender;

import org.jspecify.annotations.NullMarked;
