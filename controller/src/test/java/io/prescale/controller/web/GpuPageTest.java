package io.prescale.controller.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prescale.controller.web.GpusView.Query;
import io.prescale.controller.web.GpusView.Show;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of an extender that tells its cards and a page that shows them. */
class GpuPageTest {
  private static final String JSON =
      """
      {"totals":{"nodes":1,"cards":2,"sickCards":1,"allocatedMilli":500,"usedMilli":300,\
      "measuredCards":1,"fragmentMilli":250,"unplaced":3},"matching":1,"offset":0,"nodes":[{\
      "name":"n0","model":"A100","links":"NVLink between all","pairs":[["","nv"],["nv",""]],\
      "fragmentMilli":250,"cards":[{"index":0,"uuid":"GPU-0","memoryMib":81920,\
      "allocatedMilli":500,"allocatedMib":40960,"usedMilli":300,"health":"USABLE","trouble":"",\
      "shares":[{"pod":"team/chat-0","workload":"Deployment/chat","milli":500,"mib":40960,\
      "ready":true}]},{"index":1,"uuid":"GPU-1","memoryMib":81920,"allocatedMilli":0,\
      "allocatedMib":0,"usedMilli":null,"health":"UNHEALTHY","trouble":"XID 79","shares":[]}],\
      "problems":["card GPU-1 is not used."],"room":[{"kind":"1 card","replicas":1}]}],"decisions":[{"at":"2026-11-21T12:00:00Z",\
      "pod":"team/chat-1","node":"","reason":"2 nodes: lacks memory"}],"room":[{"kind":"1 card",\
      "replicas":1}],"queues":[{"name":"vision",\
      "parent":"research","guaranteeMilli":10000,"limitMilli":null,"usedMilli":16500,\
      "owedMilli":10000,"waiting":3,"waitingSince":"2026-11-21T11:56:00Z","fault":""}],"notices":[{\
      "pod":"team/train-0","queue":"vision","until":"2026-11-21T12:10:00Z",\
      "claim":"team/chat-1"}],"steps":[{"at":"2026-11-21T11:59:00Z","object":"Pod team/train-1",\
      "sentence":"Evicted."}],"moves":[{"pod":"team/chat-2","from":"n0","to":"n1",\
      "reason":"a card of it is sick","state":"noticed","at":"2026-11-21T12:05:00Z"}],\
      "course":{"time":[1795176000,1795176300],"lines":[{"queue":"vision",\
      "usedMilli":[16500,null]}],"marks":[{"at":"2026-11-21T12:00:00Z","kind":"NOTICE",\
      "text":"team/train-0 is to give its cards back to team/chat-1."}]}}\
      """;

  private static final GpuPage PAGE =
      new GpuPage(
          new GpuPage.Totals(1, 2, 1, 500, 300, 1, 250, 3),
          1,
          0,
          List.of(
              new GpuPage.Node(
                  "n0",
                  "A100",
                  "NVLink between all",
                  List.of(List.of("", "nv"), List.of("nv", "")),
                  250,
                  List.of(
                      new GpuPage.Card(
                          0,
                          "GPU-0",
                          81920,
                          500,
                          40960,
                          300,
                          "USABLE",
                          "",
                          List.of(
                              new GpuPage.Share(
                                  "team/chat-0", "Deployment/chat", 500, 40960, true))),
                      new GpuPage.Card(
                          1, "GPU-1", 81920, 0, 0, null, "UNHEALTHY", "XID 79", List.of())),
                  List.of("card GPU-1 is not used."),
                  List.of(new GpuPage.Room("1 card", 1)))),
          List.of(
              new GpuPage.Decision(
                  Instant.parse("2026-11-21T12:00:00Z"),
                  "team/chat-1",
                  "",
                  "2 nodes: lacks memory")),
          List.of(new GpuPage.Room("1 card", 1)),
          List.of(
              new GpuPage.Queue(
                  "vision",
                  "research",
                  10_000,
                  null,
                  16_500,
                  10_000,
                  3,
                  Instant.parse("2026-11-21T11:56:00Z"),
                  "")),
          List.of(
              new GpuPage.Notice(
                  "team/train-0", "vision", Instant.parse("2026-11-21T12:10:00Z"), "team/chat-1")),
          List.of(
              new GpuPage.Step(
                  Instant.parse("2026-11-21T11:59:00Z"), "Pod team/train-1", "Evicted.")),
          List.of(
              new GpuPage.Move(
                  "team/chat-2",
                  "n0",
                  "n1",
                  "a card of it is sick",
                  "noticed",
                  Instant.parse("2026-11-21T12:05:00Z"))),
          new GpuPage.Course(
              List.of(1_795_176_000L, 1_795_176_300L),
              List.of(new GpuPage.Line("vision", Arrays.asList(16_500L, null))),
              List.of(
                  new Mark(
                      Instant.parse("2026-11-21T12:00:00Z"),
                      Mark.Kind.NOTICE,
                      "team/train-0 is to give its cards back to team/chat-1."))));

  @Test
  void isWrittenAndReadAsItStandsHere() throws IOException {
    assertThat(PAGE.json()).isEqualTo(JSON);
    assertThat(GpuPage.read(JSON.getBytes(UTF_8))).isEqualTo(PAGE);
  }

  @Test
  void passesByWhatALaterVersionTells() throws IOException {
    var more = JSON.replaceFirst("\\{", "{\"later\":[1,{}],");

    assertThat(GpuPage.read(more.getBytes(UTF_8))).isEqualTo(PAGE);

    var otherMark = JSON.replace("\"kind\":\"NOTICE\"", "\"kind\":\"LATER\"");
    assertThat(GpuPage.read(otherMark.getBytes(UTF_8)).course().marks())
        .extracting(Mark::kind)
        .containsExactly(Mark.Kind.EVENT);
  }

  @Test
  void anEarlierVersionNamesNoQueuesAndNoRoom() throws IOException {
    var earlier = JSON.substring(0, JSON.lastIndexOf(",\"room\"")) + "}";

    var read = GpuPage.read(earlier.getBytes(UTF_8));

    assertThat(read.nodes()).isEqualTo(PAGE.nodes());
    assertThat(read.room()).isEmpty();
    assertThat(read.queues()).isEmpty();
    assertThat(read.notices()).isEmpty();
    assertThat(read.steps()).isEmpty();
    assertThat(read.course()).isEqualTo(GpuPage.Course.NONE);
  }

  @Test
  void aQueueMayWaitForNothing() throws IOException {
    var calm = JSON.replace("\"waitingSince\":\"2026-11-21T11:56:00Z\"", "\"waitingSince\":null");

    assertThat(GpuPage.read(calm.getBytes(UTF_8)).queues())
        .extracting(GpuPage.Queue::waitingSince)
        .containsOnlyNulls();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "<html>",
        "{\"totals\":{},\"nodes\":null,\"decisions\":[]}",
        "{\"totals\":{},\"nodes\":[null],\"decisions\":[]}",
        "{\"totals\":{},\"nodes\":[{\"name\":\"n\"}],\"decisions\":[]}",
        "{\"totals\":{\"cards\":\"NaN\"},\"nodes\":[],\"decisions\":[]}",
        "{\"totals\":{},\"nodes\":[],\"decisions\":[{\"at\":\"noon\"}]}",
        "{\"totals\":{},\"nodes\":[],\"decisions\":[{\"at\":\"2026-11-21T12:00:00Z\"}]}",
        "{\"totals\":null,\"nodes\":[],\"decisions\":[]}",
        "{\"totals\":{},\"nodes\":[],\"decisions\":[],\"course\":{\"time\":[0],\"lines\":"
            + "[{\"queue\":\"q\",\"usedMilli\":[]}],\"marks\":[]}}",
      })
  void refusesWhatIsNone(String json) {
    assertThatThrownBy(() -> GpuPage.read(json.getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("this is not what was asked for: ");
  }

  @Test
  void asksAsItIsRead() {
    var query = new Query(Show.FRAGMENTED, 48, 24);

    assertThat(query.parameters()).isEqualTo("show=fragmented&offset=48&limit=24");
    assertThat(Query.of(Map.of("show", "fragmented", "offset", "48", "limit", "24")))
        .isEqualTo(query);
    assertThat(Query.of(Map.of())).isEqualTo(new Query(Show.ALL, 0, 24));
    assertThat(Query.of(Map.of("show", "SICK", "x", "", "limit", "0")))
        .isEqualTo(new Query(Show.SICK, 0, 1));
    for (var wrong :
        List.of(
            Map.of("show", "none"),
            Map.of("offset", "-1"),
            Map.of("limit", "101"),
            Map.of("limit", "NaN"))) {
      assertThatThrownBy(() -> Query.of(wrong))
          .as(wrong.toString())
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
