/** Tests of the package of the same name. */
@NullMarked
package io.prescale.adapter.server;

import org.jspecify.annotations.NullMarked;
