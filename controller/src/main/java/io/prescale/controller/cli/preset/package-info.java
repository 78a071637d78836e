/** The command {@code prescale preset}. */
@NullMarked
package io.prescale.controller.cli.preset;

import org.jspecify.annotations.NullMarked;
