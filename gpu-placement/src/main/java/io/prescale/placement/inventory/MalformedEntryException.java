package io.prescale.placement.inventory;

/** One entry of an annotation cannot be read; never leaves the package. */
final class MalformedEntryException extends Exception {
  private static final long serialVersionUID = 1;

  private final String sentence;

  MalformedEntryException(String sentence) {
    super(sentence);
    this.sentence = sentence;
  }

  String sentence() {
    return sentence;
  }
}
