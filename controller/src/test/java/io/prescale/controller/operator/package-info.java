@NullMarked
package io.prescale.controller.operator;

import org.jspecify.annotations.NullMarked;
