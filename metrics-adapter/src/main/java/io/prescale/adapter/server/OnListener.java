package io.prescale.adapter.server;

import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * The listeners whose requests a controller answers; on every other one its routes do not exist.
 */
@Documented
@Retention(RUNTIME)
@Target(TYPE)
public @interface OnListener {
  /** Names of {@link Listener}s. */
  String[] value();
}
