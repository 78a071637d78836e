/** The delegated authentication and authorization of an API server. */
@NullMarked
package io.prescale.adapter.identity;

import org.jspecify.annotations.NullMarked;
