/** Certificates and private keys as text. */
@NullMarked
package io.prescale.controller.pem;

import org.jspecify.annotations.NullMarked;
