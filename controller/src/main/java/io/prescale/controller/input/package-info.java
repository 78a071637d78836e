/**
 * Sources of the history of a load: the port that commands read through, CSV files, and the
 * generated demo. Input is untrusted until parsed, and every failure has a sentence for the user.
 */
@NullMarked
package io.prescale.controller.input;

import org.jspecify.annotations.NullMarked;
