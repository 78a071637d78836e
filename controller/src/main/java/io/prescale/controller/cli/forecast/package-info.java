/** The command {@code prescale forecast}. */
@NullMarked
package io.prescale.controller.cli.forecast;

import org.jspecify.annotations.NullMarked;
