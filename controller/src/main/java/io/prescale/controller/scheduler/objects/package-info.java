/**
 * The objects that decide where pods with GPUs go: those of a cluster at one moment, and watches of
 * the kinds that a cluster may lack.
 */
@NullMarked
package io.prescale.controller.scheduler.objects;

import org.jspecify.annotations.NullMarked;
