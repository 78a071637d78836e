/**
 * Where the history of a load comes from: the port that the commands read through, CSV files, and
 * the generated demo. Whatever arrives is hostile until parsed, and every refusal is a sentence.
 */
@NullMarked
package io.prescale.controller.input;

import org.jspecify.annotations.NullMarked;
