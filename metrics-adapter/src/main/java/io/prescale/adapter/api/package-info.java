/** The external metrics API, with the paths, documents and errors of a generic API server. */
@NullMarked
package io.prescale.adapter.api;

import org.jspecify.annotations.NullMarked;
