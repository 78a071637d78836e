/**
 * The resource PredictiveHPA: the spec that users write and the status that the controller writes.
 * The CustomResourceDefinition is generated from these types.
 */
@NullMarked
package io.prescale.controller.api.v1alpha1;

import org.jspecify.annotations.NullMarked;
