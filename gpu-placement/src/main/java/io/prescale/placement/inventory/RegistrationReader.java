package io.prescale.placement.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.prescale.placement.cluster.Gpu;
import io.prescale.placement.mig.MigProfile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * Reads the node annotation in which a device plugin registers its cards. There are two forms: a
 * JSON array, whose zero and false values are left out, and {@code
 * uuid,count,memory,cores,type,numa,health[,index,mode]:} for each card. Both are taken for every
 * family; Metax has field names of its own, and Volcano writes {@code
 * uuid,count,memory,type,health,mode:}.
 *
 * <p>A malformed card is left out with a sentence; the others count.
 */
final class RegistrationReader {
  /** The API server limits the annotations of an object to 256 KiB; sixteen cards take 4 KiB. */
  static final int LONGEST = 64 * 1024;

  private static final int VOLCANO_FIELDS = 6;
  private static final int SHORT_FIELDS = 7;
  private static final int LONG_FIELDS = 9;
  private static final int MILLI_PER_PERCENT = 10;
  private static final int WHOLE_PERCENT = 100;

  private final Family family;
  private final LinkedHashMap<String, Gpu> cards = new LinkedHashMap<>();
  private final Map<String, Integer> numa = new HashMap<>();
  private final List<String> problems = new ArrayList<>();

  private RegistrationReader(Family family) {
    this.family = family;
  }

  /** Reads the annotation. */
  static RegisteredCards read(Family family, String text) {
    var registration = new RegistrationReader(family);
    registration.read(text.strip());
    return new RegisteredCards(
        List.copyOf(registration.cards.values()), registration.numa, registration.problems);
  }

  private void read(String text) {
    if (text.length() > LONGEST) {
      complain("has %d characters; at most %d are read".formatted(text.length(), LONGEST));
    } else if (text.startsWith("[")) {
      readJson(text);
    } else if (text.isEmpty()) {
      complain("is empty");
    } else {
      readText(text);
    }
  }

  private void readJson(String text) {
    JsonNode array;
    try {
      array = ForeignJson.tree(text);
    } catch (JsonProcessingException e) {
      complain("is not JSON: " + Text.quoted(e.getOriginalMessage()));
      return;
    }
    int position = 0;
    for (var entry : array) {
      position++;
      try {
        take(position, family.equals(Families.METAX) ? metax(entry) : hami(entry));
      } catch (MalformedEntryException e) {
        complain(position, e.sentence());
      }
    }
  }

  private static CardEntry hami(JsonNode entry) throws MalformedEntryException {
    var fields = new Fields(entry);
    return new CardEntry(
        fields.text("id"),
        fields.number("count"),
        fields.number("devmem"),
        fields.number("devcore"),
        fields.text("type"),
        numa(entry),
        fields.text("mode"),
        migProfiles(fields),
        fields.flag("health"));
  }

  /** Zero is left out. */
  private static OptionalInt numa(JsonNode entry) {
    var numa = entry.path("numa");
    return numa.isMissingNode() || numa.canConvertToInt()
        ? numaNode(numa.asInt())
        : OptionalInt.empty();
  }

  private static OptionalInt numa(String text) {
    try {
      return numaNode(Integer.parseInt(text));
    } catch (NumberFormatException _) {
      return OptionalInt.empty();
    }
  }

  /** Linux says -1 of a device that is on none, or on a machine that has only one. */
  private static OptionalInt numaNode(int number) {
    return number < 0 ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private static CardEntry metax(JsonNode entry) throws MalformedEntryException {
    var fields = new Fields(entry);
    return new CardEntry(
        fields.text("uuid"),
        MetaxService.sharers(fields.text("qosPolicy"), fields.number("totalDevCount")),
        fields.number("totalVRam"),
        fields.number("totalCompute"),
        fields.text("model"),
        OptionalInt.empty(),
        "",
        List.of(),
        fields.flag("healthy"));
  }

  private static List<MigProfile> migProfiles(Fields fields) throws MalformedEntryException {
    var profiles = new ArrayList<MigProfile>();
    for (var node : fields.list("migProfiles")) {
      var profile = new Fields(node);
      var starts = new TreeSet<Integer>();
      int size = 0;
      for (var place : profile.list("placements")) {
        starts.add(new Fields(place).integer("start"));
        int length = new Fields(place).integer("size");
        if (size != 0 && size != length) {
          throw new MalformedEntryException(
              "MIG profile %s covers %d slices at one place and %d at another"
                  .formatted(Text.quoted(profile.text("name")), size, length));
        }
        size = length;
      }
      try {
        profiles.add(
            new MigProfile(
                profile.text("name"),
                profile.integer("core") * MILLI_PER_PERCENT,
                profile.integer("memoryMB"),
                List.copyOf(starts),
                size,
                Math.max(1, starts.size())));
      } catch (IllegalArgumentException e) {
        throw new MalformedEntryException(String.valueOf(e.getMessage()));
      }
    }
    return profiles;
  }

  private void readText(String text) {
    int position = 0;
    for (var segment : text.split(":", -1)) {
      if (segment.isEmpty()) {
        continue;
      }
      position++;
      try {
        var fields = segment.split(",", -1);
        take(position, family.equals(Families.VOLCANO) ? volcano(fields) : entry(fields));
      } catch (MalformedEntryException e) {
        complain(position, e.sentence());
      }
    }
  }

  private static CardEntry entry(String[] fields) throws MalformedEntryException {
    if (fields.length != SHORT_FIELDS && fields.length != LONG_FIELDS) {
      throw new MalformedEntryException(
          "it has %d fields; give %d or %d".formatted(fields.length, SHORT_FIELDS, LONG_FIELDS));
    }
    return new CardEntry(
        fields[0],
        number("count", fields[1]),
        number("memory", fields[2]),
        number("cores", fields[3]),
        fields[4],
        numa(fields[5]),
        fields.length == LONG_FIELDS ? fields[8] : "",
        List.of(),
        flag(fields[6]));
  }

  private static CardEntry volcano(String[] fields) throws MalformedEntryException {
    if (fields.length != VOLCANO_FIELDS) {
      throw new MalformedEntryException(
          "it has %d fields; give %d".formatted(fields.length, VOLCANO_FIELDS));
    }
    return new CardEntry(
        fields[0],
        number("count", fields[1]),
        number("memory", fields[2]),
        WHOLE_PERCENT,
        fields[3],
        OptionalInt.empty(),
        fields[5],
        List.of(),
        flag(fields[4]));
  }

  private static long number(String name, String text) throws MalformedEntryException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException _) {
      throw new MalformedEntryException(
          name + " is " + Text.quoted(text) + "; give a whole number");
    }
  }

  private static boolean flag(String text) throws MalformedEntryException {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new MalformedEntryException(
              "health is " + Text.quoted(text) + "; give true or false");
    };
  }

  private void take(int position, CardEntry entry) {
    var problem = entry.problem();
    if (problem.isPresent()) {
      complain(position, problem.get());
    } else if (cards.putIfAbsent(entry.uuid(), entry.card(family.word())) != null) {
      complain(position, "the UUID " + entry.uuid() + " is registered twice");
    } else {
      entry.numa().ifPresent(node -> numa.put(entry.uuid(), node));
    }
  }

  private void complain(int position, String sentence) {
    problems.add(
        "card %d of %s is left out: %s.".formatted(position, family.registerKey(), sentence));
  }

  private void complain(String what) {
    problems.add("%s %s; its cards are left out.".formatted(family.registerKey(), what));
  }
}
