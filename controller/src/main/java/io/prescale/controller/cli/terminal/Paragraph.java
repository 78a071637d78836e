package io.prescale.controller.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Wraps text to a width. */
public final class Paragraph {
  private Paragraph() {}

  /** Breaks lines between words; a word longer than a line gets its own line. */
  public static List<String> wrapped(String text, int columns) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : text.split(" ", -1)) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > columns) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
