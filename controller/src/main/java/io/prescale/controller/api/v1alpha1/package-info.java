/**
 * The resource PredictiveHPA as users write it and as the controller answers it; the custom
 * resource definition is generated from these types.
 */
@NullMarked
package io.prescale.controller.api.v1alpha1;

import org.jspecify.annotations.NullMarked;
