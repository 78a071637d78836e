/**
 * Decides which of the places that fit a request is better: each preference is one criterion, and
 * they are compared one after another.
 */
@NullMarked
package io.prescale.placement.preference;

import org.jspecify.annotations.NullMarked;
