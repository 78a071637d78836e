/** Reclaims what a queue is owed from as few pods as possible. */
@NullMarked
package io.prescale.placement.reclaim;

import org.jspecify.annotations.NullMarked;
