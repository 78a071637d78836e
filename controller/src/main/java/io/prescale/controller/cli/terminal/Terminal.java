package io.prescale.controller.cli.terminal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What an output stream is connected to, which decides what may be written to it.
 *
 * @param interactive connected to a terminal, so that progress may overwrite itself
 * @param colour supports colour, and the user has not disabled it
 * @param unicode supports characters beyond ASCII
 * @param columns width of a line
 */
public record Terminal(boolean interactive, boolean colour, boolean unicode, int columns) {
  private static final int USUAL_COLUMNS = 80;
  private static final int WINDOW_SIZE_BYTES = 8;
  private static final int COLUMNS_OFFSET = 2;
  private static final long TIOCGWINSZ_LINUX = 0x5413;
  private static final long TIOCGWINSZ_BSD = 0x40087468;

  /**
   * Detects what a file descriptor of this process is connected to.
   *
   * @param environment for NO_COLOR (no-color.org), TERM and COLUMNS
   */
  public static Terminal detect(int fileDescriptor, Map<String, String> environment) {
    boolean interactive = isTerminal(fileDescriptor);
    var noColor = environment.getOrDefault("NO_COLOR", "");
    var term = environment.getOrDefault("TERM", "");
    return new Terminal(
        interactive,
        interactive && noColor.isEmpty() && !term.isEmpty() && !term.equals("dumb"),
        nativeCharset().equals(StandardCharsets.UTF_8),
        interactive ? columns(fileDescriptor, environment) : USUAL_COLUMNS);
  }

  /** The character set of the locale. */
  public static Charset nativeCharset() {
    var name = System.getProperty("native.encoding", "UTF-8");
    return Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.US_ASCII;
  }

  private static int columns(int fileDescriptor, Map<String, String> environment) {
    var columns = environment.getOrDefault("COLUMNS", "");
    int known = columns.matches("[1-9]\\d{0,3}") ? Integer.parseInt(columns) : 0;
    int measured = known > 0 ? known : measuredColumns(fileDescriptor);
    return measured > 0 ? measured : USUAL_COLUMNS;
  }

  /**
   * {@code isatty(3)}: unlike {@link System#console()}, it does not require standard input to be a
   * terminal as well.
   */
  @SuppressWarnings("restricted")
  private static boolean isTerminal(int fileDescriptor) {
    try {
      var linker = Linker.nativeLinker();
      var isatty =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("isatty"),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
      return (int) isatty.invokeExact(fileDescriptor) == 1;
    } catch (Throwable _) { // the function is missing, or native access is denied
      return false;
    }
  }

  /** {@code ioctl(2)} with {@code TIOCGWINSZ}; 0 if it is not available. */
  @SuppressWarnings("restricted")
  private static int measuredColumns(int fileDescriptor) {
    boolean linux = System.getProperty("os.name", "").startsWith("Linux");
    try (var arena = Arena.ofConfined()) {
      var linker = Linker.nativeLinker();
      var ioctl =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("ioctl"),
              FunctionDescriptor.of(
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS),
              Linker.Option.firstVariadicArg(2));
      MemorySegment size = arena.allocate(WINDOW_SIZE_BYTES);
      long request = linux ? TIOCGWINSZ_LINUX : TIOCGWINSZ_BSD;
      int result = (int) ioctl.invokeExact(fileDescriptor, request, size);
      return result == 0 ? size.get(ValueLayout.JAVA_SHORT, COLUMNS_OFFSET) : 0;
    } catch (Throwable _) {
      return 0;
    }
  }
}
