/**
 * Connects the external metrics API to a cluster: who may read, the APIService, statuses' values.
 */
@NullMarked
package io.prescale.controller.serving;

import org.jspecify.annotations.NullMarked;
