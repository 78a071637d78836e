/** Options shared by several commands, and the types of their values. */
@NullMarked
package io.prescale.controller.cli.options;

import org.jspecify.annotations.NullMarked;
