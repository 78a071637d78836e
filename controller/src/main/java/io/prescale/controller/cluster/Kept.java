package io.prescale.controller.cluster;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is kept of an object's JSON, by the names of its fields; of an array the same of each item.
 *
 * @param isWhole whether that is everything
 * @param parts what is kept of which field, otherwise
 */
public record Kept(boolean isWhole, Map<String, Kept> parts) {
  static final Kept WHOLE = new Kept(true, Map.of());
  static final Kept NOTHING = new Kept(false, Map.of());

  public Kept {
    parts = Map.copyOf(parts);
  }

  /** Fields with all that is in them. */
  public static Kept fields(String... names) {
    var parts = new HashMap<String, Kept>();
    Arrays.asList(names).forEach(name -> parts.put(name, WHOLE));
    return new Kept(false, parts);
  }

  /** The same with a part of one more field. */
  public Kept with(String name, Kept part) {
    var all = new HashMap<>(parts);
    all.put(name, part);
    return new Kept(isWhole, all);
  }

  Optional<Kept> part(String name) {
    return isWhole ? Optional.of(this) : Optional.ofNullable(parts.get(name));
  }
}
