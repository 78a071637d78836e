package io.prescale.placement.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

/** Fields of a JSON object as Go writes it: empty values are left out, others have their type. */
record Fields(JsonNode node) {
  private static final int MOST = 1 << 24;

  String text(String name) throws MalformedEntryException {
    var value = field(name);
    if (value.isMissingNode()) {
      return "";
    }
    if (!value.isTextual()) {
      throw wrong(name, value, "a text");
    }
    return value.asText();
  }

  /** A whole number of up to 64 bits. */
  long number(String name) throws MalformedEntryException {
    var value = field(name);
    if (value.isMissingNode()) {
      return 0;
    }
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw wrong(name, value, "a whole number");
    }
    return value.asLong();
  }

  int integer(String name) throws MalformedEntryException {
    long value = number(name);
    if (value < -MOST || value > MOST) {
      throw new MalformedEntryException("%s is %d, which is too much".formatted(name, value));
    }
    return (int) value;
  }

  boolean flag(String name) throws MalformedEntryException {
    var value = field(name);
    if (value.isMissingNode()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw wrong(name, value, "true or false");
    }
    return value.asBoolean();
  }

  /** An array; an empty node when it is left out. */
  JsonNode list(String name) throws MalformedEntryException {
    var value = field(name);
    if (!value.isMissingNode() && !value.isArray()) {
      throw wrong(name, value, "a list");
    }
    return value;
  }

  /** An object; an empty one when it is left out. */
  JsonNode object(String name) throws MalformedEntryException {
    var value = field(name);
    if (value.isMissingNode()) {
      return JsonNodeFactory.instance.objectNode();
    }
    if (!value.isObject()) {
      throw wrong(name, value, "an object");
    }
    return value;
  }

  private JsonNode field(String name) throws MalformedEntryException {
    if (!node.isObject()) {
      throw new MalformedEntryException(
          "it is " + Text.quoted(node.toString()) + "; give an object");
    }
    var value = node.path(name);
    return value.isNull() ? node.path("") : value;
  }

  private static MalformedEntryException wrong(String name, JsonNode value, String wanted) {
    return new MalformedEntryException(
        "%s is %s; give %s".formatted(name, Text.quoted(value.toString()), wanted));
  }
}
