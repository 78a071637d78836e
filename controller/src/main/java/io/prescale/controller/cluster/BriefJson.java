package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of one kind's lists and watches with only what is kept of each object. It is read token
 * by token, before anything is made of it: a tenant may make an object whose JSON, or the heap that
 * it would take, is a thousand times as large. An object of which more than 128 KiB of heap would
 * be kept is left out of a list, and its event says that it is deleted, unless something is kept of
 * large ones.
 *
 * @param plural the kind's name in paths
 * @param kept of each object; with what is kept of large ones
 * @param ofLarge what is kept of one that is too large; only its identity if it is left out
 */
public record BriefJson(String plural, Kept kept, Kept ofLarge) {
  /** What identifies an object. */
  public static final Kept IDENTITY =
      Kept.fields("kind", "apiVersion")
          .with("metadata", Kept.fields("namespace", "name", "uid", "resourceVersion"));

  /** Of an error, which takes an object's place in a watch. */
  private static final String[] OF_ERRORS = {"message", "reason", "code"};

  public BriefJson {
    for (var field : OF_ERRORS) {
      kept = kept.with(field, Kept.WHOLE);
    }
  }

  /** Of a kind whose large objects are left out. */
  public BriefJson(String plural, Kept kept) {
    this(plural, kept, IDENTITY);
  }

  /** Whether an address is that of a list or a watch of the kind. */
  boolean concerns(URI uri) {
    return uri.getPath().endsWith("/" + plural);
  }

  /** An event in brief; text that is no JSON as it is. */
  public String event(String text) {
    var brief = new StringWriter();
    try (var parser = HpaReader.JSON.createParser(text);
        var json = HpaReader.JSON.createGenerator(brief)) {
      parser.nextToken();
      document(parser, json);
    } catch (IOException _) {
      return text; // the client library says what is wrong with it
    }
    return brief.toString();
  }

  /**
   * The next list or event in brief, in UTF-8; empty at the end.
   *
   * @throws IOException when it cannot be read, or ends too early
   */
  Optional<byte[]> next(JsonParser parser) throws IOException {
    if (parser.nextToken() == null) {
      return Optional.empty();
    }
    var bytes = new ByteArrayOutputStream();
    try (var json = HpaReader.JSON.createGenerator(bytes)) {
      document(parser, json);
    }
    bytes.writeBytes("\n".getBytes(UTF_8)); // separates the events of a watch
    return Optional.of(bytes.toByteArray());
  }

  private void document(JsonParser parser, JsonGenerator json) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      json.copyCurrentStructure(parser);
      return;
    }
    String type = null;
    Reading object = null;
    json.writeStartObject();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      var name = parser.currentName();
      var value = parser.nextToken();
      if (name.equals("items") && value == JsonToken.START_ARRAY) {
        items(parser, json);
      } else if (name.equals("type") && value == JsonToken.VALUE_STRING) {
        type = parser.getText();
      } else if (name.equals("object")) {
        object = read(parser);
      } else {
        json.writeFieldName(name);
        json.copyCurrentStructure(parser);
      }
    }
    event(type, object, json);
    json.writeEndObject();
  }

  private void items(JsonParser parser, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("items");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      var item = read(parser);
      if (isKept(item)) {
        item.tokens(ofLarge).serialize(json);
      }
    }
    json.writeEndArray();
  }

  private boolean isKept(Reading object) {
    return object.isSmall() || !ofLarge.equals(IDENTITY);
  }

  private void event(@Nullable String type, @Nullable Reading object, JsonGenerator json)
      throws IOException {
    if (type != null) {
      json.writeStringField("type", object == null || isKept(object) ? type : "DELETED");
    }
    if (object != null) {
      json.writeFieldName("object");
      object.tokens(ofLarge).serialize(json);
    }
  }

  private Reading read(JsonParser parser) throws IOException {
    var reading = new Reading(parser);
    reading.value(kept, ofLarge);
    return reading;
  }

  /** One object. */
  private static final class Reading {
    private final JsonParser parser;
    private final TokenBuffer tokens = new TokenBuffer(null, false);
    private long bytes;

    Reading(JsonParser parser) {
      this.parser = parser;
    }

    boolean isSmall() {
      return bytes <= HeapOfJson.LARGEST;
    }

    TokenBuffer tokens(Kept ofLarge) throws IOException {
      if (isSmall()) {
        return tokens;
      }
      try (var again = tokens.asParser()) {
        again.nextToken();
        var rest = new Reading(again);
        rest.value(ofLarge, ofLarge);
        return rest.tokens;
      }
    }

    /** Keeps a part of the current value; where too much is kept already, only what always is. */
    void value(Kept kept, Kept always) throws IOException {
      if (!isSmall() && always.equals(Kept.NOTHING)) {
        parser.skipChildren();
        return;
      }
      bytes += HeapOfJson.of(parser);
      switch (parser.currentToken()) {
        case START_OBJECT -> {
          tokens.writeStartObject();
          while (parser.nextToken() != JsonToken.END_OBJECT) {
            field(kept, always);
          }
          tokens.writeEndObject();
        }
        case START_ARRAY -> {
          tokens.writeStartArray();
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            value(kept, always);
          }
          tokens.writeEndArray();
        }
        default -> tokens.copyCurrentEvent(parser);
      }
    }

    private void field(Kept kept, Kept always) throws IOException {
      var name = parser.currentName();
      long ofName = HeapOfJson.of(parser);
      parser.nextToken();
      var part = kept.part(name);
      var ofAlways = always.part(name);
      if (part.isEmpty() || (!isSmall() && ofAlways.isEmpty())) {
        parser.skipChildren();
        return;
      }
      bytes += ofName;
      tokens.writeFieldName(name);
      value(part.get(), ofAlways.orElse(Kept.NOTHING));
    }
  }
}
