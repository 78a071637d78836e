/**
 * The command line: options and what they mean, errors as sentences, exit codes, tables and charts
 * for a terminal. Results go to standard output, everything else to standard error.
 */
@NullMarked
package io.prescale.controller.cli;

import org.jspecify.annotations.NullMarked;
