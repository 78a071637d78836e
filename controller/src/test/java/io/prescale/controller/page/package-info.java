/** Tests of what the page shows of a cluster. */
@NullMarked
package io.prescale.controller.page;

import org.jspecify.annotations.NullMarked;
