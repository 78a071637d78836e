package io.prescale.adapter.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The pages besides metrics: discovery, schemas, version. */
final class FixedPages {
  /** Writes a page; fails if the client accepts none of its formats. */
  @FunctionalInterface
  interface Page {
    ApiResponse get() throws FailureException;
  }

  private static final String JSON = "application/json";
  private static final List<String> PATHS =
      List.of(
          "/apis",
          "/apis/" + Discovery.GROUP,
          "/apis/" + Discovery.GROUP_VERSION,
          "/healthz",
          "/livez",
          "/openapi/v2",
          "/openapi/v3",
          "/openapi/v3/apis/" + Discovery.GROUP_VERSION,
          "/readyz",
          "/version");

  private static final Set<String> AGGREGATED = Set.of("v2", "v2beta1");

  private final FixedPage schemaV2;
  private final FixedPage schemaV2Protobuf;
  private final FixedPage schemaV3;
  private final FixedPage schemaIndex;
  private final JsonNode version;

  FixedPages(String version) {
    var openApi = OpenApi.v2(version);
    schemaV2 = new FixedPage(openApi, JSON);
    schemaV2Protobuf = new FixedPage(OpenApiProtobuf.of(openApi), Accept.SCHEMA_PROTOBUF);
    schemaV3 = new FixedPage(OpenApi.v3(version), JSON);
    schemaIndex = new FixedPage(OpenApi.index(schemaV3.hash()), JSON);
    this.version =
        JsonNodeFactory.instance
            .objectNode()
            .put("major", "")
            .put("minor", "")
            .put("gitVersion", version)
            .put("gitCommit", "")
            .put("gitTreeState", "")
            .put("buildDate", "1970-01-01T00:00:00Z")
            .put("goVersion", "")
            .put("compiler", "javac")
            .put("platform", "jvm");
  }

  private static FixedPage aggregated(String version, MetricResources resources) {
    if (!AGGREGATED.contains(version)) {
      throw new IllegalArgumentException("no aggregated discovery " + version);
    }
    return new FixedPage(
        Discovery.aggregated(version, resources),
        JSON + ";g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList");
  }

  /**
   * The page at a path, if there is one.
   *
   * @param resources that discovery has
   */
  Optional<Page> find(
      RequestTarget target, ApiRequest request, ResponseWriter answers, MetricResources resources) {
    var known = request.credentials().header("if-none-match");
    return switch (target.path()) {
      case "/" -> Optional.of(() -> json(paths(), answers));
      case "/version" -> Optional.of(() -> json(version, answers));
      case "/apis" -> Optional.of(() -> groups(known, answers, resources));
      case "/apis/" + Discovery.GROUP ->
          Optional.of(() -> answers.object(Discovery.GROUP_OF_METRICS));
      case "/apis/" + Discovery.GROUP_VERSION -> Optional.of(() -> answers.object(resources));
      case "/openapi/v2" -> Optional.of(() -> schemaV2(known, answers));
      case "/openapi/v3" -> Optional.of(() -> schema(schemaIndex, known, answers));
      case "/openapi/v3/apis/" + Discovery.GROUP_VERSION ->
          Optional.of(() -> hashedSchema(target, known, answers));
      default -> Optional.empty();
    };
  }

  private static ApiResponse groups(
      List<String> known, ResponseWriter answers, MetricResources resources)
      throws FailureException {
    var version = answers.accept().discoveryVersion();
    if (version.isEmpty()) {
      return answers.object(Discovery.GROUPS);
    }
    return aggregated(version.get(), resources)
        .answer(known)
        .with("Vary", "Accept")
        .with("Cache-Control", "public");
  }

  private ApiResponse schemaV2(List<String> known, ResponseWriter answers) throws FailureException {
    return answers.accept().prefersSchemaProtobuf()
        ? schemaV2Protobuf.answer(known).with("Vary", "Accept")
        : schema(schemaV2, known, answers);
  }

  private static ApiResponse schema(FixedPage page, List<String> known, ResponseWriter answers)
      throws FailureException {
    answers.requireJson();
    return page.answer(known).with("Vary", "Accept");
  }

  /** A schema that is requested by its hash may be cached forever. */
  private ApiResponse hashedSchema(RequestTarget target, List<String> known, ResponseWriter answers)
      throws FailureException {
    var response = schema(schemaV3, known, answers);
    return target.parameter("hash").equals(schemaV3.hash())
        ? response.with("Cache-Control", "public, immutable")
        : response;
  }

  private static JsonNode paths() {
    var document = JsonNodeFactory.instance.objectNode();
    PATHS.forEach(document.putArray("paths")::add);
    return document;
  }

  private static ApiResponse json(JsonNode document, ResponseWriter answers)
      throws FailureException {
    answers.requireJson();
    var headers = new LinkedHashMap<String, String>();
    headers.put("Content-Type", JSON);
    return new ApiResponse(
        200, headers, JsonWriter.of(document, true).getBytes(StandardCharsets.UTF_8));
  }
}
