/** What commands print on: the terminal, tables, charts, progress and output files. */
@NullMarked
package io.prescale.controller.cli.terminal;

import org.jspecify.annotations.NullMarked;
