package io.prescale.controller.web;

/** Says who may read the API. The page's own files are for every caller. Thread-safe. */
@FunctionalInterface
public interface Gatekeeper {
  /**
   * Judges a request; may block.
   *
   * @param authorization the header of that name; empty when it was not sent
   */
  Verdict judge(String authorization);

  /** Admits every caller, as on a machine of one's own. */
  static Gatekeeper open() {
    return _ -> new Verdict.Admitted();
  }

  /** What becomes of a request. */
  sealed interface Verdict {
    /** It is answered. */
    record Admitted() implements Verdict {}

    /** The caller is not known: 401. */
    record Unknown(String sentence) implements Verdict {}

    /** The caller is not allowed: 403. */
    record Forbidden(String sentence) implements Verdict {}

    /** The caller cannot be judged now: 503. */
    record Undecided(String sentence) implements Verdict {}
  }
}
