/** Serves the API over HTTPS. */
@NullMarked
package io.prescale.adapter.server;

import org.jspecify.annotations.NullMarked;
