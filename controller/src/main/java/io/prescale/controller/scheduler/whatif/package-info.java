/** What a cluster would do with pods that do not exist yet. */
@NullMarked
package io.prescale.controller.scheduler.whatif;

import org.jspecify.annotations.NullMarked;
