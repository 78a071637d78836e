/** Which running pods give their cards back to whom, after a notice, and what comes next. */
@NullMarked
package io.prescale.placement.notice;

import org.jspecify.annotations.NullMarked;
