package io.prescale.controller.input;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/**
 * Fails on implausible text: a record longer than a mebibyte, which a missing quote can make of the
 * rest of a file, or a NUL.
 */
final class RecordLimit extends FilterReader {
  private static final int LONGEST_RECORD = 1 << 20;

  private int sinceRecord;

  RecordLimit(Reader in) {
    super(in);
  }

  /** The text is implausible; the message says why. */
  static final class Exceeded extends IOException {
    private static final long serialVersionUID = 1;

    private final String problem;

    private Exceeded(String problem) {
      super(problem);
      this.problem = problem;
    }

    String problem() {
      return problem;
    }
  }

  /** Resets the limit for the next record. */
  void nextRecord() {
    sinceRecord = 0;
  }

  @Override
  public int read() throws IOException {
    var one = new char[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    for (int i = offset; i < offset + count; i++) {
      if (buffer[i] == 0) {
        throw new Exceeded("is not text: it contains a NUL");
      }
    }
    sinceRecord += Math.max(0, count);
    if (sinceRecord > LONGEST_RECORD) {
      throw new Exceeded(
          "a row of more than a million characters begins here; look for a missing closing quote");
    }
    return count;
  }
}
