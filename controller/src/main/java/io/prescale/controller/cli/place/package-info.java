/** The command {@code prescale place}. */
@NullMarked
package io.prescale.controller.cli.place;

import org.jspecify.annotations.NullMarked;
