package io.prescale.adapter.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;

/** Writes JSON (RFC 8259) with the spacing of Go, on one line or indented by two spaces. */
public final class JsonWriter {
  private static final ObjectWriter ON_ONE_LINE =
      JsonMapper.builder().disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE).build().writer();
  private static final ObjectWriter INDENTED = ON_ONE_LINE.with(indented());

  private JsonWriter() {}

  static String of(JsonNode document, boolean pretty) {
    try {
      return (pretty ? INDENTED : ON_ONE_LINE).writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  /** A string with its quotes. */
  public static String quoted(String value) {
    return of(TextNode.valueOf(value), false);
  }

  private static DefaultPrettyPrinter indented() {
    var lines = new DefaultIndenter("  ", "\n");
    var separators =
        Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator("");
    return new DefaultPrettyPrinter(separators).withObjectIndenter(lines).withArrayIndenter(lines);
  }
}
