/** Output of commands: the terminal, tables, charts, progress and files. */
@NullMarked
package io.prescale.controller.cli.terminal;

import org.jspecify.annotations.NullMarked;
