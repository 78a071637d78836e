/** The page's view of cards, made from a snapshot of the placement engine. */
@NullMarked
package io.prescale.controller.web.cards;

import org.jspecify.annotations.NullMarked;
