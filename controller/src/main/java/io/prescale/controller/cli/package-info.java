/**
 * The command line: which commands there are, how options are converted, and how failures are
 * reported.
 */
@NullMarked
package io.prescale.controller.cli;

import org.jspecify.annotations.NullMarked;
