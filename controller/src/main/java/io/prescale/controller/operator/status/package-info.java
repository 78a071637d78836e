/** What a status says: conditions, decisions and metrics, and when they are written. */
@NullMarked
package io.prescale.controller.operator.status;

import org.jspecify.annotations.NullMarked;
