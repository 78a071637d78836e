@NullMarked
package io.prescale.controller.program;

import org.jspecify.annotations.NullMarked;
