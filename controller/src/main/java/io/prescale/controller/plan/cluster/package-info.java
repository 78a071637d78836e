/** The plan of a cluster's cards: who needs which within a day, what fits, what would help. */
@NullMarked
package io.prescale.controller.plan.cluster;

import org.jspecify.annotations.NullMarked;
