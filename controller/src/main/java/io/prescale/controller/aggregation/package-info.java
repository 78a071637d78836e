/**
 * The adapter's side of the cluster: who asks, what they may, certificates, and the registration.
 */
@NullMarked
package io.prescale.controller.aggregation;

import org.jspecify.annotations.NullMarked;
