/** {@code prescale demo}. */
@NullMarked
package io.prescale.controller.cli.demo;

import org.jspecify.annotations.NullMarked;
