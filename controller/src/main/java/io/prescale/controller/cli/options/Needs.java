package io.prescale.controller.cli.options;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the options without which an option has no effect: one of them has to be given. On a class
 * it holds for all of its options but these themselves, and those that name others.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.TYPE})
public @interface Needs {
  String[] value();
}
