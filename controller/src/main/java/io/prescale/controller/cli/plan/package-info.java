/** {@code prescale plan}. */
@NullMarked
package io.prescale.controller.cli.plan;

import org.jspecify.annotations.NullMarked;
