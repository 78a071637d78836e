/**
 * What a scaling policy would have done to a recorded load: the Kubernetes HPA simulated sync by
 * sync, the policies that feed it, and the scores of each. Pure computation: time, randomness and
 * demand are arguments.
 */
@NullMarked
package io.prescale.controller.simulation.replay;

import org.jspecify.annotations.NullMarked;
