/** Shares what is scarce fairly between namespaces. */
@NullMarked
package io.prescale.controller.fairness;

import org.jspecify.annotations.NullMarked;
