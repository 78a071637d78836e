package io.prescale.controller.web;

/** Says who may read the API. The page's own files are for everybody. Thread-safe. */
@FunctionalInterface
public interface Gatekeeper {
  /**
   * Judges a request; may block.
   *
   * @param authorization the header of that name; empty when it was not sent
   */
  Verdict judge(String authorization);

  /** Whoever can connect may read, as on a machine of one's own. */
  static Gatekeeper open() {
    return _ -> new Verdict.Admitted();
  }

  /** What becomes of a request. */
  sealed interface Verdict {
    /** It is answered. */
    record Admitted() implements Verdict {}

    /** Nobody knows who asks: 401. */
    record Unknown(String sentence) implements Verdict {}

    /** Whoever asks may not: 403. */
    record Forbidden(String sentence) implements Verdict {}

    /** Nobody can tell now: 503. */
    record Undecided(String sentence) implements Verdict {}
  }
}
