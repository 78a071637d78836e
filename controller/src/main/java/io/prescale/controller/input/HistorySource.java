package io.prescale.controller.input;

/** A source of the history of one load. */
public interface HistorySource {

  /** Reads the whole history; an interrupt stops it soon. */
  History read() throws InputException, InterruptedException;
}
