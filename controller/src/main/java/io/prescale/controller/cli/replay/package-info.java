/** The command {@code prescale replay}. */
@NullMarked
package io.prescale.controller.cli.replay;

import org.jspecify.annotations.NullMarked;
