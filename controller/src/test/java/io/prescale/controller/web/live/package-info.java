/** Tests of what the page shows of a cluster. */
@NullMarked
package io.prescale.controller.web.live;

import org.jspecify.annotations.NullMarked;
