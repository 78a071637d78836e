package io.prescale.controller.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Text on as many lines as it takes. */
public final class Paragraph {
  private Paragraph() {}

  /** Breaks between words; a word longer than a line gets a line of its own. */
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
