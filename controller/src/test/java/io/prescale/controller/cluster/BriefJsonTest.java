package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BriefJsonTest {
  private static final BriefJson PODS =
      new BriefJson(
          "pods",
          Kept.fields("kind", "apiVersion")
              .with("metadata", Kept.fields("namespace", "name", "resourceVersion", "labels"))
              .with("spec", Kept.fields().with("containers", Kept.fields("name")))
              .with("status", Kept.fields("phase")));

  private static final String MANY =
      IntStream.range(0, 1_000)
          .mapToObj("\"l%d\": \"\""::formatted)
          .collect(Collectors.joining(","));

  @Test
  void ofEachObjectOfAListOnlyWhatIsKeptIsLeft() throws IOException {
    assertThat(
            list(
                """
                {"kind": "PodList", "metadata": {"continue": "next", "resourceVersion": "7"},
                 "items": [
                  {"metadata": {"name": "a", "labels": {"x": "1"}, "annotations": {"y": "2"}},
                   "spec": {"containers": [{"name": "c", "env": [{"name": "E"}]}, null],
                     "volumes": []},
                   "status": {"phase": "Running", "conditions": [{"type": "Ready"}]}},
                  {"metadata": {"name": "large", "labels": {%s}}},
                  {"metadata": {"name": "b"}, "status": null}]}
                """
                    .formatted(MANY)))
        .isEqualTo(
            """
            {"kind":"PodList","metadata":{"continue":"next","resourceVersion":"7"},"items":[\
            {"metadata":{"name":"a","labels":{"x":"1"}},"spec":{"containers":[{"name":"c"},null]},\
            "status":{"phase":"Running"}},{"metadata":{"name":"b"},"status":null}]}
            """);
  }

  @Test
  void anObjectThatHasBecomeTooLargeIsGone() {
    var event =
        """
        {"type": "MODIFIED", "object": {"kind": "Pod", "metadata": {"namespace": "team",
          "labels": {%s}, "name": "a", "resourceVersion": "8"}, "spec": {"containers": []}}}
        """;

    assertThat(PODS.event(event.formatted(MANY)))
        .isEqualTo(
            """
            {"type":"DELETED","object":{"kind":"Pod","metadata":{"namespace":"team","name":"a",\
            "resourceVersion":"8"}}}\
            """);
    assertThat(PODS.event(event.formatted("\"x\": \"1\""))).startsWith("{\"type\":\"MODIFIED\"");
  }

  @Test
  void errorsAndBookmarksAreLeftAsTheyAre() {
    var error =
        """
        {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},\
        "status":"Failure","message":"too old resource version","reason":"Expired","code":410}}\
        """;
    var bookmark =
        """
        {"type":"BOOKMARK","object":{"kind":"Pod","metadata":{"resourceVersion":"9"}}}\
        """;

    assertThat(PODS.event(error)).isEqualTo(error);
    assertThat(PODS.event(bookmark)).isEqualTo(bookmark);
    assertThat(PODS.event("{\"type\": \"AD")).isEqualTo("{\"type\": \"AD");
    assertThat(PODS.event("")).isEmpty();
    assertThat(PODS.event("[1]")).isEqualTo("[1]");
  }

  @Test
  void aListThatEndsTooEarlyIsAFailure() {
    assertThatThrownBy(() -> list("{\"items\": [{\"metadata\": {")).isInstanceOf(IOException.class);
  }

  @Test
  void onlyAddressesOfTheKindAreConcerned() {
    assertThat(PODS.concerns(URI.create("https://c/api/v1/namespaces/team/pods?limit=9"))).isTrue();
    assertThat(PODS.concerns(URI.create("https://c/api/v1/namespaces/team/pods/a"))).isFalse();
    assertThat(PODS.concerns(URI.create("https://c/api/v1/namespaces/team/secrets"))).isFalse();
  }

  private static String list(String json) throws IOException {
    try (var parser = HpaReader.JSON.createParser(json)) {
      var brief = new String(PODS.next(parser).orElseThrow(), UTF_8);
      assertThat(PODS.next(parser)).isEmpty();
      return brief;
    }
  }
}
