package io.prescale.controller.cli.terminal;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.Writer;

/** Replaces characters that a terminal without Unicode cannot show by ASCII. */
final class PlainText extends FilterWriter {
  PlainText(Writer out) {
    super(out);
  }

  @Override
  public void write(int character) throws IOException {
    out.write(plain((char) character));
  }

  @Override
  public void write(char[] buffer, int offset, int length) throws IOException {
    write(new String(buffer, offset, length), 0, length);
  }

  @Override
  public void write(String text, int offset, int length) throws IOException {
    for (int i = offset; i < offset + length; i++) {
      out.write(plain(text.charAt(i)));
    }
  }

  private static String plain(char character) {
    return switch (character) {
      case '–', '—', '−', '─' -> "-";
      case '…' -> "...";
      case '×' -> "x";
      case '≤' -> "<=";
      case '≥' -> ">=";
      case '│' -> "|";
      case '’' -> "'";
      default -> character < 0x80 ? String.valueOf(character) : "?";
    };
  }
}
