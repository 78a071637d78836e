package io.prescale.controller.cli.terminal;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * The files that a command writes: all of them, complete, or none. Each is written under a
 * temporary name in its final directory; {@link #publish()} moves all of them into place, and
 * {@link #close()} deletes those that were not published. Thread-safe.
 */
public final class OutputFiles implements AutoCloseable {
  /** Final path by temporary file. */
  private final SequencedMap<Path, Path> unpublished = new LinkedHashMap<>();

  private boolean closed;

  /** Writes the content of one file. */
  @FunctionalInterface
  public interface Content {
    void writeTo(Writer out) throws IOException, InterruptedException;
  }

  /** Why a file cannot be written. The message is a sentence for the user. */
  public static final class NotWritable extends Exception {
    private static final long serialVersionUID = 1;

    private NotWritable(Path file, String problem) {
      super(file + ": " + problem + ".");
    }
  }

  /** Fails early, before a long computation, if the file cannot be written. */
  public static void requireWritable(Path file) throws NotWritable {
    var folder = folder(file);
    if (Files.isDirectory(file)) {
      throw new NotWritable(file, "is a directory; name a file in it");
    }
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new NotWritable(file, "is not a regular file");
    }
    if (!Files.isDirectory(folder)) {
      throw new NotWritable(file, "there is no directory " + folder + "; create it first");
    }
    if (!Files.isWritable(folder) || (Files.exists(file) && !Files.isWritable(file))) {
      throw new NotWritable(file, "you may not write here");
    }
  }

  /** Writes a file in UTF-8 under its temporary name, or to standard output at once. */
  public void write(OutputFile file, PrintWriter standardOutput, Content content)
      throws NotWritable, InterruptedException {
    if (!file.isStandardOutput()) {
      write(file.path(), content);
      return;
    }
    try {
      content.writeTo(standardOutput);
    } catch (IOException e) {
      throw new NotWritable(file.path(), "cannot be written: " + e.getMessage());
    }
  }

  /** Writes a file in UTF-8 under its temporary name. */
  public void write(Path file, Content content) throws NotWritable, InterruptedException {
    requireWritable(file);
    try {
      // Resolves a symbolic link, so that the link itself is not replaced.
      var place = Files.exists(file) ? file.toRealPath() : file;
      try (BufferedWriter out = Files.newBufferedWriter(begin(place), StandardCharsets.UTF_8)) {
        content.writeTo(out);
      }
    } catch (IOException e) {
      throw new NotWritable(file, "cannot be written: " + e.getMessage());
    }
  }

  /** Moves every file into place, replacing what was there. */
  public synchronized void publish() throws NotWritable {
    while (!unpublished.isEmpty()) {
      var next = unpublished.firstEntry();
      try {
        move(next.getKey(), next.getValue());
      } catch (IOException e) {
        throw new NotWritable(next.getValue(), "cannot be written: " + e.getMessage());
      }
      unpublished.remove(next.getKey());
    }
  }

  /** Deletes unpublished files and refuses further writes. */
  @Override
  public synchronized void close() {
    closed = true;
    for (var file : unpublished.keySet()) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException _) {
        // Best effort: a file left behind is recognised by its name.
      }
    }
    unpublished.clear();
  }

  private synchronized Path begin(Path place) throws InterruptedException {
    if (closed) {
      throw new InterruptedException("no more files are written");
    }
    var name = ".%s.%d.part".formatted(place.getFileName(), ProcessHandle.current().pid());
    var unfinished = place.resolveSibling(name);
    unpublished.put(unfinished, place);
    return unfinished;
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private static Path folder(Path file) {
    var absolute = file.toAbsolutePath();
    var folder = absolute.getParent();
    return folder == null ? absolute : folder;
  }
}
