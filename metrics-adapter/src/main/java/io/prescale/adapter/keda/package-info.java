/** KEDA's {@code ExternalScaler}: the values of the read model by gRPC, for triggers of KEDA. */
@NullMarked
package io.prescale.adapter.keda;

import org.jspecify.annotations.NullMarked;
