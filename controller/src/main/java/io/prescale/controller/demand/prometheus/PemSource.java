package io.prescale.controller.demand.prometheus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where certificates or a key in PEM are. {@code toString} names it and does not show it. */
public sealed interface PemSource {

  /** The text; what is no text becomes some, in which nothing is found. */
  String text() throws IOException;

  /** A file, read when a connection needs it. */
  record InFile(Path file) implements PemSource {
    @Override
    public String text() throws IOException {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
      return file.toString();
    }
  }

  /**
   * A Secret that has been read; it never becomes a file.
   *
   * @param name of the Secret and its key, for messages
   */
  record InSecret(String name, String text) implements PemSource {
    @Override
    public String toString() {
      return name;
    }
  }
}
