package io.prescale.controller.api.v1alpha1;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Random specs that the definition admits: within its bounds, formats, patterns and {@code matches}
 * rules. Edge cases are tried everywhere and kept where the schema lets them pass.
 */
public final class AdmittedSpecs {
  private static final double LIKELY = 0.7;
  private static final Pattern MATCHES = Pattern.compile("(!?)self\\.matches\\('([^']*)'\\)");
  private static final Pattern GO_TIME =
      Pattern.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))");

  private static final List<String> EDGES =
      List.of(
          "",
          " ",
          "0",
          "-0",
          "1",
          "+1",
          "1.",
          ".5",
          "1e3",
          "1E",
          "1E3",
          "1e99",
          "1e-99",
          "1Ki",
          "1.5Gi",
          "0.0000000001n",
          "1n",
          "500m",
          "1e2147483648",
          "1e999999999",
          "1e-999999999",
          "9".repeat(32),
          "9".repeat(400),
          "NaN",
          "Infinity",
          "0x10",
          "٣",
          "1_000",
          "1e1.5",
          "2026-01-01T00:00:00Z",
          "2026-01-01T00:00:00+20:00",
          "2026-01-01T00:00:00-18:01",
          "2026-01-01T00:00:00+17:59",
          "2026-01-01T00:00:00-14:00",
          "2026-01-01t00:00:00z",
          "2026-01-01T00:00:00.123456789Z",
          "2026-01-01T00:00:00.1234567891Z",
          "2026-01-01T23:59:59.9+00:00",
          "2026-02-29T00:00:00Z",
          "2028-02-29T00:00:00Z",
          "2026-01-01T23:59:60Z",
          "0000-01-01T00:00:00Z",
          "9999-12-31T23:59:59-17:59",
          "2026-01-01T00:00:00,5Z",
          "2026-01-01T00:00:00Zz",
          "1s",
          "999999s",
          "24h",
          "366d",
          "52w",
          "999999h",
          "0s",
          "1h30m",
          "auto",
          "UTC",
          "Europe/Berlin",
          "Mars/Phobos",
          "GMT+25",
          "Z",
          "Etc/GMT+1",
          "http://p",
          "http://p:99999",
          "http://[::1]:9090",
          "http://[:::1]",
          "http://a_b",
          "https://p/a%2Fb",
          "https://p/%zz",
          "http://1.2.3",
          "http://p/^",
          "http://p.",
          "http://-",
          "HTTP://p",
          "apps/v1",
          "v1",
          "Deployment",
          "a",
          "a.b",
          "a-b",
          "0 8 * * 1-5",
          "*/7 0-23/2 ? jan,DEC sun",
          "0 0 31 2 *",
          "99 99 99 99 99",
          "5-1 * * * *",
          "*/99 , - / x",
          "@daily",
          "2026-12-25",
          "2028-02-29",
          "2026-02-29",
          "2026-04-31",
          "@reboot",
          "0.5%",
          "50%",
          "00.000001%",
          "\n",
          "a\nb",
          "🦉",
          "Max");

  private static final List<String> KEYS =
      List.of("app", "gpu.prescale.io/queue", "nvidia.com/gpu", "nvidia.com/gpumem", "zone");

  private final SplittableRandom random;
  private final IdentityHashMap<JSONSchemaProps, List<String>> admitted = new IdentityHashMap<>();

  public AdmittedSpecs(long seed) {
    random = new SplittableRandom(seed);
  }

  /** The next spec of a definition, as a manifest has it. */
  @SuppressWarnings("unchecked")
  public Map<String, Object> any(JSONSchemaProps schema) {
    return (Map<String, Object>) value(schema);
  }

  /** The next spec of a PredictiveHPA. */
  @SuppressWarnings("unchecked")
  public Map<String, Object> next(JSONSchemaProps schema) {
    var spec = any(schema);
    int min = (int) spec.getOrDefault("minReplicas", 1);
    spec.put("maxReplicas", Math.max(min, (int) spec.getOrDefault("maxReplicas", min)));
    for (var metric : (List<Map<String, Object>>) spec.getOrDefault("metrics", List.of())) {
      oneKind(metric, Schemas.at(schema, "metrics", "[]"));
    }
    return spec;
  }

  /** The rules between the fields of a metric. */
  private void oneKind(Map<String, Object> metric, JSONSchemaProps schema) {
    var kind = pick(List.of("prometheus", "preset", "native"));
    Stream.of("prometheus", "preset", "native", "target").forEach(metric::remove);
    metric.put(kind, value(Schemas.at(schema, kind)));
    if (!kind.equals("native")) {
      metric.put("target", value(Schemas.at(schema, "target")));
    }
  }

  private Object value(JSONSchemaProps schema) {
    if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
      return pick(schema.getEnum()).asText();
    }
    if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
      return random.nextBoolean() ? text(schema) : (Object) random.nextLong(1, Long.MAX_VALUE);
    }
    return switch (schema.getType()) {
      case "object" -> object(schema);
      case "array" -> array(schema);
      case "integer" -> (int) number(schema);
      case "number" -> number(schema);
      case "boolean" -> random.nextBoolean();
      default -> text(schema);
    };
  }

  private Map<String, Object> object(JSONSchemaProps schema) {
    var object = new LinkedHashMap<String, Object>();
    if (schema.getProperties() != null) {
      schema
          .getProperties()
          .forEach(
              (name, field) -> {
                boolean isRequired =
                    schema.getRequired() != null && schema.getRequired().contains(name);
                if (isRequired || random.nextDouble() < LIKELY) {
                  object.put(name, value(field));
                }
              });
    }
    if (schema.getAdditionalProperties() != null) {
      for (int i = random.nextInt(3); i > 0; i--) {
        object.put(pick(KEYS), value(schema.getAdditionalProperties().getSchema()));
      }
    }
    return object;
  }

  private List<Object> array(JSONSchemaProps schema) {
    long least = Optional.ofNullable(schema.getMinItems()).orElse(0L);
    var items = new ArrayList<>();
    for (long i = 0; i < least + random.nextInt(2); i++) {
      items.add(value(schema.getItems().getSchema()));
    }
    return items;
  }

  private double number(JSONSchemaProps schema) {
    double least = Optional.ofNullable(schema.getMinimum()).orElse((double) Integer.MIN_VALUE);
    double most = Optional.ofNullable(schema.getMaximum()).orElse((double) Integer.MAX_VALUE);
    return pick(List.of(least, most, least == most ? least : random.nextDouble(least, most)));
  }

  private String text(JSONSchemaProps schema) {
    var combined = pick(EDGES) + pick(EDGES);
    return random.nextInt(4) == 0 && admits(schema, combined)
        ? combined
        : pick(
            admitted.computeIfAbsent(
                schema, _ -> EDGES.stream().filter(text -> admits(schema, text)).toList()));
  }

  private static boolean admits(JSONSchemaProps schema, String text) {
    long length = text.codePointCount(0, text.length());
    return length >= Optional.ofNullable(schema.getMinLength()).orElse(0L)
        && length <= Optional.ofNullable(schema.getMaxLength()).orElse(Long.MAX_VALUE)
        && (schema.getPattern() == null || finds(schema.getPattern(), text))
        && (!"date-time".equals(schema.getFormat()) || isTimeInGo(text))
        && rules(schema).allMatch(rule -> admits(rule, text));
  }

  private static Stream<String> rules(JSONSchemaProps schema) {
    return Stream.ofNullable(schema.getXKubernetesValidations())
        .flatMap(List::stream)
        .map(rule -> rule.getRule());
  }

  /** Whether the patterns of a rule match; other parts of it are taken as met. */
  private static boolean admits(String rule, String text) {
    if (rule.startsWith("self == 'auto'") && text.equals("auto")) {
      return true;
    }
    if (rule.contains("isQuantity") && !isQuantityInGo(text)) {
      return false;
    }
    return MATCHES
        .matcher(rule)
        .results()
        .filter(match -> !rule.startsWith("!self.matches") || match.start() == 0)
        .allMatch(
            match ->
                (rule.startsWith("!self.matches") && rule.contains("||"))
                    || finds(match.group(2).replace("\\\\", "\\"), text)
                        == match.group(1).isEmpty());
  }

  /** Go's dialect: POSIX classes, and $ is the end alone. */
  private static boolean finds(String pattern, String text) {
    var java =
        pattern
            .replace("[:space:]", "\\s")
            .replace("[:cntrl:]", "\\p{Cntrl}")
            .replaceFirst("\\$$", "\\\\z");
    return Pattern.compile(java).matcher(text).find();
  }

  /** A quantity above 0, as apimachinery parses it. */
  private static boolean isQuantityInGo(String text) {
    return text.matches("[+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]+)?")
        && text.matches("[^eE]*[1-9].*");
  }

  /** The format date-time, as the API server checks it. */
  private static boolean isTimeInGo(String text) {
    var parts = text.toLowerCase(Locale.ROOT).split("t", -1);
    if (parts.length < 2) {
      return false;
    }
    try {
      LocalDate.parse(parts[0]);
    } catch (DateTimeParseException _) {
      return false;
    }
    var time = GO_TIME.matcher(parts[1]);
    return time.find()
        && time.group(1).compareTo("23") <= 0
        && time.group(2).compareTo("59") <= 0
        && time.group(3).compareTo("59") <= 0;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
