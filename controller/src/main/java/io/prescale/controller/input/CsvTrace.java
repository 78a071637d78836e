package io.prescale.controller.input;

import io.prescale.controller.input.InputException.Fault;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A trace in CSV: a header that names the columns {@code timestamp} (Unix seconds or RFC 3339) and
 * {@code value}, in any order and among others, then a row for each observation. UTF-8, optionally
 * compressed with gzip.
 */
public final class CsvTrace implements HistorySource {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int GZIP_MAGIC = 0x1f8b;

  /** Where the bytes are. */
  @FunctionalInterface
  public interface Content {

    /** Called once; the reader closes what it gets. */
    InputStream open() throws IOException;
  }

  private final String name;
  private final Content content;

  /**
   * A trace from anywhere.
   *
   * @param name what messages call it
   */
  public CsvTrace(String name, Content content) {
    this.name = name;
    this.content = content;
  }

  /** The trace in a file. */
  public static CsvTrace file(Path file) {
    return new CsvTrace(
        file.toString(),
        () -> {
          if (Files.isDirectory(file)) {
            throw new IOException("is a directory; name a CSV file");
          }
          return Files.newInputStream(file);
        });
  }

  @Override
  public History read() throws InputException, InterruptedException {
    try (var in = content.open();
        var text = text(new BufferedInputStream(in, BUFFER_BYTES))) {
      var samples = new CsvRows(name, text).read();
      return new History(name.substring(name.lastIndexOf('/') + 1), name, samples, List.of());
    } catch (NoSuchFileException e) {
      throw new InputException(Fault.UNREACHABLE, name + ": there is no such file.", e);
    } catch (AccessDeniedException e) {
      throw new InputException(Fault.UNREACHABLE, name + ": you may not read this file.", e);
    } catch (EOFException e) {
      throw new InputException(Fault.UNUSABLE, name + ": is gzip that ends too early.", e);
    } catch (ZipException e) {
      throw new InputException(
          Fault.UNUSABLE, "%s: is damaged gzip (%s).".formatted(name, e.getMessage()), e);
    } catch (IOException e) {
      throw new InputException(Fault.UNREACHABLE, "%s: %s.".formatted(name, e.getMessage()), e);
    }
  }

  private Reader text(BufferedInputStream bytes) throws IOException, InputException {
    int magic = firstTwoBytes(bytes);
    if (magic == 0xfeff || magic == 0xfffe) {
      throw new InputException(
          Fault.UNUSABLE, name + ": is UTF-16 text; save it as CSV in UTF-8.");
    }
    var plain =
        magic == GZIP_MAGIC
            ? new BufferedInputStream(new GZIPInputStream(bytes, BUFFER_BYTES), BUFFER_BYTES)
            : bytes;
    skipByteOrderMark(plain);
    return new InputStreamReader(plain, StandardCharsets.UTF_8);
  }

  private static int firstTwoBytes(InputStream in) throws IOException {
    in.mark(2);
    int first = in.read();
    int second = in.read();
    in.reset();
    return second < 0 ? -1 : first << 8 | second;
  }

  private static void skipByteOrderMark(InputStream in) throws IOException {
    in.mark(3);
    if (in.read() != 0xef || in.read() != 0xbb || in.read() != 0xbf) {
      in.reset();
    }
  }
}
