/**
 * The external metrics API: paths, documents and errors as in the generic Kubernetes API server.
 */
@NullMarked
package io.prescale.adapter.api;

import org.jspecify.annotations.NullMarked;
