package io.prescale.controller.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;

/** JSON as commands print it: indented, on a writer that is left open. */
public final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  /** Prints a document. */
  public static void print(ObjectNode json, PrintWriter out) {
    out.append(json.toPrettyString()).append('\n').flush();
  }

  public static JsonGenerator to(Writer out) throws IOException {
    return JSON.createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .useDefaultPrettyPrinter();
  }
}
