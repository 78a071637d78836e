package io.prescale.controller.demand.preset;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * Which series a preset's query selects. The two names are escaped, so that they can only be label
 * values.
 *
 * @param model as the server's metrics name it; empty for all models together
 * @param namespace of the pods; empty for all namespaces together
 */
public record PresetScope(Optional<String> model, Optional<String> namespace) {
  private static final int LONGEST = 253;

  public PresetScope {
    model.ifPresent(name -> requireName("model", name));
    namespace.ifPresent(name -> requireName("namespace", name));
  }

  private static void requireName(String what, String name) {
    if (name.isBlank() || name.length() > LONGEST) {
      throw new IllegalArgumentException(
          "The %s must have 1 to %d characters; it has %d."
              .formatted(what, LONGEST, name.strip().length()));
    }
    if (name.codePoints().anyMatch(Character::isISOControl)
        || !UTF_8.newEncoder().canEncode(name)) {
      throw new IllegalArgumentException(
          "The %s contains a line break or another invalid character; write it as the server's metrics show it."
              .formatted(what));
    }
  }
}
