/**
 * The programs that run until they are stopped, each a Micronaut context of its own: which beans it
 * has, which listeners, and in which order it starts.
 */
@NullMarked
package io.prescale.controller.program;

import org.jspecify.annotations.NullMarked;
