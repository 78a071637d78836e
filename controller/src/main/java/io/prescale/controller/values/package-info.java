/**
 * The values that HPAs read, in a few ConfigMaps: the leader writes them after every tick, every
 * replica watches them. A status follows when it says something new.
 */
@NullMarked
package io.prescale.controller.values;

import org.jspecify.annotations.NullMarked;
