@NullMarked
package io.prescale.controller.kubernetes;

import org.jspecify.annotations.NullMarked;
