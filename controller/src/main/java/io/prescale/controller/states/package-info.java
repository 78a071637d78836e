/**
 * Forecasters that outlive their process: written by the leader after their refits, read by the
 * next one.
 */
@NullMarked
package io.prescale.controller.states;

import org.jspecify.annotations.NullMarked;
