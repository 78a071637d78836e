/** Options that several commands share, and what their values mean. */
@NullMarked
package io.prescale.controller.cli.options;

import org.jspecify.annotations.NullMarked;
