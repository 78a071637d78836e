package io.prescale.controller.cli.cluster;

import java.io.IOException;
import java.util.ArrayDeque;

/** Closes what was opened, the last first, and each even when another cannot be closed. */
final class Closing implements AutoCloseable {
  private final ArrayDeque<AutoCloseable> open = new ArrayDeque<>();

  <T extends AutoCloseable> T later(T resource) {
    open.push(resource);
    return resource;
  }

  @Override
  public void close() throws IOException {
    Exception first = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw new IOException("not everything could be closed", first);
    }
  }
}
