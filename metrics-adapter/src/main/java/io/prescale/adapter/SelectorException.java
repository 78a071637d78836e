package io.prescale.adapter;

/** A text is no label selector; the message says where and why. */
public final class SelectorException extends Exception {
  private static final long serialVersionUID = 1;

  SelectorException(String message) {
    super(message);
  }
}
