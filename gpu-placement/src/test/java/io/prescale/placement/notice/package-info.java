@NullMarked
package io.prescale.placement.notice;

import org.jspecify.annotations.NullMarked;
