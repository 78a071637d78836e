package io.prescale.controller;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each test of a class gets fabric8's mock of an API server, and a client of it, in the fields of
 * their types; like {@code EnableKubernetesMockClient}, which fails a class now and then: it starts
 * one more server for the class, and waits for the event loop that it has just closed.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(MockApiExtension.class)
public @interface MockApi {
  /** Whether it keeps objects that are written; otherwise it answers as it is told to. */
  boolean crud() default false;

  /** Whether it speaks TLS. */
  boolean https() default true;
}
