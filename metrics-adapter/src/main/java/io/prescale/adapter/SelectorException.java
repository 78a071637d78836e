package io.prescale.adapter;

/** Thrown for a text that is not a label selector; the message says where and why. */
public final class SelectorException extends Exception {
  private static final long serialVersionUID = 1;

  SelectorException(String message) {
    super(message);
  }
}
