@NullMarked
package io.prescale.controller.fairness;

import org.jspecify.annotations.NullMarked;
