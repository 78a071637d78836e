/**
 * The external metrics API in a cluster: callers and their rights, the APIService, and the values
 * that statuses hold.
 */
@NullMarked
package io.prescale.controller.serving;

import org.jspecify.annotations.NullMarked;
