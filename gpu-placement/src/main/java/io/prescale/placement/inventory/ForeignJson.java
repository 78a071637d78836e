package io.prescale.placement.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Parses foreign JSON strictly. */
final class ForeignJson {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private ForeignJson() {}

  static JsonNode tree(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /**
   * Parses an array.
   *
   * @param refusal the sentence for anything else
   */
  static JsonNode array(String text, String refusal) throws MalformedEntryException {
    try {
      var array = tree(text);
      if (array.isArray()) {
        return array;
      }
    } catch (JsonProcessingException _) {
      // Refused below.
    }
    throw new MalformedEntryException(refusal);
  }
}
