/** The command line: its commands, the conversion of options, and how failures are reported. */
@NullMarked
package io.prescale.controller.cli;

import org.jspecify.annotations.NullMarked;
