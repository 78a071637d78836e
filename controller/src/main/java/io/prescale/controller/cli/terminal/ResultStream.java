package io.prescale.controller.cli.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output, which ends the command when it cannot be written: a {@link java.io.PrintWriter}
 * would go on in silence.
 */
final class ResultStream extends FilterOutputStream {
  ResultStream(OutputStream out) {
    super(out);
  }

  @Override
  public void write(int oneByte) {
    write(new byte[] {(byte) oneByte}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      throw new OutputClosedException(e);
    }
  }
}
