package io.prescale.controller.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.prescale.forecasting.Sample;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Prometheus' query API over the samples of the demo, as a function. It knows one metric, selected
 * by its workload or not, and the sum of it; everything else it refuses as Prometheus refuses what
 * it cannot parse. Source: <a
 * href="https://prometheus.io/docs/prometheus/latest/querying/api/">HTTP API</a>.
 */
final class PrometheusEndpoint {
  static final String METRIC = "demo_concurrent_requests";

  /** Prometheus' limit. */
  private static final int MOST_POINTS = 11_000;

  private static final Pattern QUERY =
      Pattern.compile(
          "\\s*(?<sum>sum\\s*\\(\\s*)?"
              + METRIC
              + "\\s*(?:\\{\\s*(?:workload\\s*=\\s*\"(?<workload>[a-z0-9-]*)\"\\s*,?\\s*)?})?"
              + "\\s*(?<close>\\)\\s*)?");
  private static final JsonFactory JSON = new JsonFactory();

  private final MetricStore store;

  /** An answer of the API. */
  record Reply(int status, String json) {}

  /** One line of the result. */
  private record Series(String workload, List<Sample> samples) {}

  PrometheusEndpoint(MetricStore store) {
    this.store = store;
  }

  /** The query for the demand of a workload. */
  static String query(Workload workload) {
    return "sum(%s{workload=\"%s\"})".formatted(METRIC, workload.name());
  }

  /**
   * Answers {@code query} and {@code query_range}.
   *
   * @param path what follows {@code /api/v1/}
   * @param now the time of an instant query that names none
   */
  Reply answer(String path, Map<String, String> parameters, Instant now) {
    try {
      return switch (path) {
        case "query_range" -> range(parameters);
        case "query" -> instant(parameters, now);
        default -> error(404, "not_found", "the demo's Prometheus answers query and query_range");
      };
    } catch (IllegalArgumentException e) {
      return error(400, "bad_data", String.valueOf(e.getMessage()));
    }
  }

  private Reply range(Map<String, String> parameters) {
    var from = time(parameters, "start");
    var to = time(parameters, "end");
    var step = step(parameters.getOrDefault("step", ""));
    if (to.isBefore(from)) {
      throw new IllegalArgumentException("end timestamp must not be before start time");
    }
    if (Duration.between(from, to).dividedBy(step) > MOST_POINTS) {
      throw new IllegalArgumentException("exceeded maximum resolution of 11,000 points");
    }
    return success("matrix", found(parameters, from, to, step));
  }

  private Reply instant(Map<String, String> parameters, Instant now) {
    var at = parameters.containsKey("time") ? time(parameters, "time") : now;
    return success("vector", found(parameters, at, at, Duration.ofMinutes(1)));
  }

  private List<Series> found(
      Map<String, String> parameters, Instant from, Instant to, Duration step) {
    Matcher query = QUERY.matcher(parameters.getOrDefault("query", ""));
    if (!query.matches() || (query.group("sum") == null) != (query.group("close") == null)) {
      throw new IllegalArgumentException(
          "the demo's Prometheus knows %s, with {workload=\"NAME\"} and sum() if you like"
              .formatted(METRIC));
    }
    var workload = Optional.ofNullable(query.group("workload"));
    boolean summed = query.group("sum") != null;
    if (summed && workload.isEmpty()) {
      return List.of(new Series("", total(from, to, step)));
    }
    return store.workloads().stream()
        .filter(name -> workload.isEmpty() || workload.get().equals(name))
        .map(name -> new Series(summed ? "" : name, store.range(name, from, to, step)))
        .filter(series -> !series.samples().isEmpty())
        .toList();
  }

  private List<Sample> total(Instant from, Instant to, Duration step) {
    return store.workloads().stream()
        .flatMap(name -> store.range(name, from, to, step).stream())
        .collect(
            Collectors.groupingBy(
                Sample::time, TreeMap::new, Collectors.summingDouble(Sample::value)))
        .entrySet()
        .stream()
        .map(sum -> new Sample(sum.getKey(), sum.getValue()))
        .toList();
  }

  private static Instant time(Map<String, String> parameters, String name) {
    var text = parameters.getOrDefault(name, "");
    try {
      return text.contains("T") ? Instant.parse(text) : seconds(text);
    } catch (DateTimeException | ArithmeticException | NumberFormatException _) {
      throw new IllegalArgumentException(
          "invalid parameter \"%s\": cannot parse it to a valid timestamp".formatted(name));
    }
  }

  private static Instant seconds(String text) {
    if (text.length() > 30) {
      throw new NumberFormatException(text);
    }
    long millis = new BigDecimal(text).movePointRight(3).longValue();
    return Instant.ofEpochMilli(millis);
  }

  private static Duration step(String text) {
    var matcher = Pattern.compile("(\\d{1,9})(?:\\.0+)?(s|m|h)?").matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(1)) == 0) {
      throw new IllegalArgumentException("invalid parameter \"step\": write 60 or 1m");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (Optional.ofNullable(matcher.group(2)).orElse("s")) {
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofSeconds(amount);
    };
  }

  private static Reply success(String type, List<Series> result) {
    return new Reply(
        200,
        json(
            json -> {
              json.writeStringField("status", "success");
              json.writeObjectFieldStart("data");
              json.writeStringField("resultType", type);
              json.writeArrayFieldStart("result");
              for (Series series : result) {
                write(json, series, type.equals("vector"));
              }
              json.writeEndArray();
              json.writeEndObject();
            }));
  }

  private static void write(JsonGenerator json, Series series, boolean newestOnly)
      throws IOException {
    json.writeStartObject();
    json.writeObjectFieldStart("metric");
    if (!series.workload().isEmpty()) {
      json.writeStringField("__name__", METRIC);
      json.writeStringField("workload", series.workload());
    }
    json.writeEndObject();
    if (newestOnly) {
      json.writeFieldName("value");
      write(json, series.samples().getLast());
    } else {
      json.writeArrayFieldStart("values");
      for (Sample sample : series.samples()) {
        write(json, sample);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Sample sample) throws IOException {
    json.writeStartArray();
    json.writeNumber(BigDecimal.valueOf(sample.time().toEpochMilli(), 3));
    json.writeString(Double.toString(sample.value()));
    json.writeEndArray();
  }

  private static Reply error(int status, String type, String message) {
    return new Reply(
        status,
        json(
            json -> {
              json.writeStringField("status", "error");
              json.writeStringField("errorType", type);
              json.writeStringField("error", message);
            }));
  }

  /** Writes the fields of an object. */
  @FunctionalInterface
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private static String json(Fields fields) {
    var text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return text.toString();
  }
}
