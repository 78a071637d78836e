package io.prescale.controller.cluster;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * About how many bytes of heap an object takes as the client library keeps it. Many short entries
 * take ten times as much as their JSON: each is a map's entry and two strings.
 */
final class HeapOfJson {
  /** Most that is kept of one object; a usual HPA or pod in brief takes about ten thousand. */
  static final int LARGEST = 128 << 10;

  /** Of a name or a value beside its characters: half an entry of a map, a string, its array. */
  private static final int STRING = 72;

  /** Of an object or an array: its fields, and the map of those that the library does not know. */
  private static final int STRUCTURE = 200;

  private HeapOfJson() {}

  /** Of the parser's current token. */
  static long of(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT, START_ARRAY -> STRUCTURE;
      case END_OBJECT, END_ARRAY -> 0;
      case FIELD_NAME -> STRING + parser.currentName().length();
      case VALUE_STRING -> STRING + parser.getTextLength();
      default -> STRING;
    };
  }

  /** Whether a whole object takes no more than the most that is kept. */
  static boolean isSmall(Object object) {
    try (var parser = HpaReader.JSON.createParser(KubernetesJson.of(object))) {
      long bytes = 0;
      for (JsonToken next = parser.nextToken(); next != null; next = parser.nextToken()) {
        bytes += of(parser);
      }
      return bytes <= LARGEST;
    } catch (IOException e) {
      throw new IllegalStateException("JSON of the client library's own", e);
    }
  }
}
