package io.prescale.controller.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prescale.forecasting.Sample;
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
    var json = JsonNodeFactory.instance.objectNode().put("status", "success");
    var found = json.putObject("data").put("resultType", type).putArray("result");
    result.forEach(series -> add(series, type.equals("vector"), found.addObject()));
    return new Reply(200, json.toString());
  }

  private static void add(Series series, boolean newestOnly, ObjectNode json) {
    var metric = json.putObject("metric");
    if (!series.workload().isEmpty()) {
      metric.put("__name__", METRIC).put("workload", series.workload());
    }
    if (newestOnly) {
      add(series.samples().getLast(), json.putArray("value"));
    } else {
      var values = json.putArray("values");
      series.samples().forEach(sample -> add(sample, values.addArray()));
    }
  }

  private static void add(Sample sample, ArrayNode json) {
    json.add(BigDecimal.valueOf(sample.time().toEpochMilli(), 3))
        .add(Double.toString(sample.value()));
  }

  private static Reply error(int status, String type, String message) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("status", "error").put("errorType", type).put("error", message);
    return new Reply(status, json.toString());
  }
}
