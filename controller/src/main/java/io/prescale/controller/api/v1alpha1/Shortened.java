package io.prescale.controller.api.v1alpha1;

/** Texts that fit a field. */
public final class Shortened {
  private Shortened() {}

  /** The text, of which what is too long ends with an ellipsis. */
  public static String to(int longest, String text) {
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }
}
