package io.prescale.controller.input;

import io.prescale.controller.input.InputException.Fault;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.io.ByteOrderMark;
import org.apache.commons.io.input.BOMInputStream;

/**
 * CSV text: a header that names the columns, then rows, in UTF-8 and optionally compressed with
 * gzip.
 *
 * @param name the name used in messages
 */
public record CsvFile(String name, Content content) {
  private static final int BUFFER_BYTES = 1 << 16;

  /** Opens the bytes. */
  @FunctionalInterface
  public interface Content {

    /** Called once per reading; the caller closes the stream. */
    InputStream open() throws IOException;
  }

  /** Turns the rows into a result. */
  @FunctionalInterface
  public interface Reading<T> {
    T of(CsvTable table) throws InputException, IOException, InterruptedException;
  }

  /** Turns the bytes into a result. */
  @FunctionalInterface
  public interface BytesReading<T> {
    /** The stream supports {@link InputStream#mark}. */
    T of(InputStream bytes) throws InputException, IOException, InterruptedException;
  }

  /** The name without its folder. */
  public String shortName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** The text of a file. */
  public static CsvFile of(Path file) {
    return new CsvFile(
        file.toString().isEmpty() ? "\"\"" : file.toString(),
        () -> {
          if (Files.isDirectory(file)) {
            throw new IOException("is a directory; name a CSV file");
          }
          return Files.newInputStream(file);
        });
  }

  /**
   * Reads the text from its beginning.
   *
   * @throws InputException if the file cannot be read; the message names it
   */
  public <T> T read(Reading<T> reading) throws InputException, InterruptedException {
    return readBytes(bytes -> reading.of(new CsvTable(name, text(bytes))));
  }

  /**
   * Reads the uncompressed bytes from their beginning, without a byte order mark.
   *
   * @throws InputException if the file cannot be read; the message names it
   */
  public <T> T readBytes(BytesReading<T> reading) throws InputException, InterruptedException {
    try (var in = content.open();
        var bytes = uncompressed(new BufferedInputStream(in, BUFFER_BYTES))) {
      return reading.of(bytes);
    } catch (EOFException e) {
      throw new InputException(Fault.UNUSABLE, name + ": is truncated gzip.", e);
    } catch (ZipException e) {
      throw new InputException(
          Fault.UNUSABLE, "%s: is damaged gzip (%s).".formatted(name, e.getMessage()), e);
    } catch (IOException e) {
      throw new InputException(Fault.UNREACHABLE, "%s: %s.".formatted(name, FileProblem.of(e)), e);
    }
  }

  private static Reader text(InputStream bytes) {
    return new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8));
  }

  private InputStream uncompressed(BufferedInputStream bytes) throws IOException, InputException {
    var plain = isGzip(bytes) ? new GZIPInputStream(bytes, BUFFER_BYTES) : bytes;
    var unmarked =
        BOMInputStream.builder()
            .setInputStream(plain)
            .setByteOrderMarks(ByteOrderMark.UTF_8, ByteOrderMark.UTF_16BE, ByteOrderMark.UTF_16LE)
            .get();
    if (unmarked.hasBOM() && !unmarked.hasBOM(ByteOrderMark.UTF_8)) {
      throw new InputException(Fault.UNUSABLE, name + ": is UTF-16 text; save it as CSV in UTF-8.");
    }
    return new BufferedInputStream(unmarked, BUFFER_BYTES);
  }

  private static boolean isGzip(InputStream in) throws IOException {
    in.mark(2);
    boolean magic = in.read() == 0x1f && in.read() == 0x8b;
    in.reset();
    return magic;
  }
}
