package io.prescale.controller.cli.options;

import java.nio.file.Path;

/** The value of an option that, with other things, names a file to be read. */
public interface ReadsFile {
  Path file();
}
