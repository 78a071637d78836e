/** Serving certificates: made, read from files or a Secret, renewed; and PEM text. */
@NullMarked
package io.prescale.controller.certificates;

import org.jspecify.annotations.NullMarked;
