package io.prescale.controller.input;

/** Somewhere that the history of one load can be read from. */
public interface HistorySource {

  /** Reads all of it. An interrupted thread stops reading soon. */
  History read() throws InputException, InterruptedException;
}
