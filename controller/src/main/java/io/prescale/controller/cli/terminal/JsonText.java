package io.prescale.controller.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;

/** JSON as commands print it: indented, on a writer that is left open. */
public final class JsonText {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonText() {}

  public static JsonGenerator to(Writer out) throws IOException {
    return JSON.createGenerator(out)
        .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
        .useDefaultPrettyPrinter();
  }
}
