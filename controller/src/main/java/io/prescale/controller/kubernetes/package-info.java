/**
 * Kubernetes' side of the controller: PredictiveHPAs are read and their status written, workloads
 * and pods observed, and every replica learns from the status what to serve.
 */
@NullMarked
package io.prescale.controller.kubernetes;

import org.jspecify.annotations.NullMarked;
