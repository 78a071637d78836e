/** Issues, stores, reads and renews serving certificates, and handles PEM. */
@NullMarked
package io.prescale.controller.certificates;

import org.jspecify.annotations.NullMarked;
