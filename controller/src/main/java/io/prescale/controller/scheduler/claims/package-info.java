/** Claims of dynamic resource allocation in a cluster: what is watched, and what is written. */
@NullMarked
package io.prescale.controller.scheduler.claims;

import org.jspecify.annotations.NullMarked;
