package io.prescale.controller.demand.prometheus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails on a response body larger than expected. */
final class BodyLimit extends FilterInputStream {
  private final long mostBytes;
  private long bytes;

  BodyLimit(InputStream in, long mostBytes) {
    super(in);
    this.mostBytes = mostBytes;
  }

  /** The body has more bytes than the limit. */
  static final class Exceeded extends IOException {
    private static final long serialVersionUID = 1;

    private Exceeded(long mostBytes) {
      super("more than " + mostBytes + " bytes");
    }
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    count(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = super.read(buffer, offset, length);
    count(Math.max(read, 0));
    return read;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(int read) throws IOException {
    bytes += read;
    if (bytes > mostBytes) {
      throw new Exceeded(mostBytes);
    }
  }
}
