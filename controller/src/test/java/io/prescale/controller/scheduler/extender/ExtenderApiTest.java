package io.prescale.controller.scheduler.extender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.prescale.controller.scheduler.extender.ExtenderApi.Verb;
import io.prescale.controller.scheduler.extender.Question.MalformedRequestException;
import io.prescale.controller.scheduler.facts.QueueSource;
import io.prescale.placement.inventory.Nodes;
import io.prescale.placement.ledger.HandOvers;
import io.prescale.placement.ledger.Ledger;
import io.prescale.placement.queue.QueueEntry;
import io.prescale.placement.queue.Quota;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests as kube-scheduler 1.36 writes them. */
class ExtenderApiTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-11-21T12:00:00Z"));

  /** Nothing here asks the API server. */
  private static final KubernetesClient NOBODY =
      new KubernetesClientBuilder()
          .withConfig(new ConfigBuilder().withMasterUrl("http://127.0.0.1:1").build())
          .build();

  private final Ledger ledger = new Ledger(10);
  private final FakeBinder binder = new FakeBinder();
  private final Committer committer =
      new Committer(
          ledger,
          new HandOvers(() -> 0, Duration.ofSeconds(30)),
          new NodeLocks(NOBODY, ledger, CLOCK),
          binder,
          CLOCK,
          Duration.ZERO,
          (_, _) -> Map.of());
  private final ExtenderApi api = offering(10);

  private ExtenderApi offering(int candidates) {
    return new ExtenderApi(
        ledger,
        committer,
        QueueSource.PRESCALE,
        CLOCK,
        new PreemptVerb(ledger, Set::of, _ -> List.of()),
        candidates);
  }

  @BeforeEach
  void start() {
    ledger.seen(Nodes.a100("a", 1));
    ledger.seen(Nodes.a100("b", 1));
  }

  private static String share(String name, String memory) {
    return """
    {"metadata":{"name":"%1$s","namespace":"default","uid":"uid-%1$s"},
     "spec":{"priority":7,"containers":[{"name":"c","resources":{
       "limits":{"nvidia.com/gpu":"1","nvidia.com/gpumem":"%2$s"},
       "requests":{"nvidia.com/gpu":"1","nvidia.com/gpumem":"%2$s"}}}]},
     "status":{"phase":"Pending"}}\
    """
        .formatted(name, memory);
  }

  private String ask(Verb verb, String body) throws Exception {
    return new String(api.answer(verb, body.getBytes(UTF_8)), UTF_8);
  }

  @Test
  void filtersByNamesWithTheExactFieldNames() throws Exception {
    var answer =
        ask(
            Verb.FILTER,
            "{\"Pod\":%s,\"Nodes\":null,\"NodeNames\":[\"a\",\"b\",\"c\"]}"
                .formatted(share("p", "50000")));

    assertThat(answer)
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[\"a\",\"b\"],\"FailedNodes\":{},"
                + "\"FailedAndUnresolvableNodes\":{},\"Error\":\"\"}");
  }

  /** Then kube-scheduler scores none, and asks for no priorities. */
  @Test
  void offersOneNodeIfItIsToOfferOne() throws Exception {
    var one = offering(1);
    var asked = ",\"NodeNames\":[\"a\",\"b\",\"c\"]}";
    var withoutCards =
        "{\"metadata\":{\"name\":\"p\",\"namespace\":\"d\",\"uid\":\"u\"},\"spec\":{\"containers\":[]}}";

    assertThat(filtered(one, share("p", "50000") + asked)).containsExactly("a");
    assertThat(filtered(one, withoutCards + asked)).containsExactly("a", "b", "c");
    assertThat(ledger.shortlist("uid-p")).as("for the page").containsExactly("a", "b");
  }

  private static List<String> filtered(ExtenderApi of, String podAndNodes) throws Exception {
    var answer = of.answer(Verb.FILTER, ("{\"Pod\":" + podAndNodes).getBytes(UTF_8));
    var names = new ArrayList<String>();
    JSON.readTree(answer).path("NodeNames").forEach(name -> names.add(name.asText()));
    return names;
  }

  @Test
  void tellsNoneFromNothingAndWhereEvictionsCannotHelp() throws Exception {
    var asked = ",\"Nodes\":null,\"NodeNames\":[\"a\",\"c\"]}";
    ask(Verb.FILTER, "{\"Pod\":" + share("p", "50000") + asked);

    assertThat(ask(Verb.FILTER, "{\"Pod\":" + share("q", "50000") + asked))
        .isEqualTo(
            "{\"Nodes\":null,\"NodeNames\":[],\"FailedNodes\":{\"a\":\"GPU: lacks memory\"},"
                + "\"FailedAndUnresolvableNodes\":{\"c\":\"GPU: has no cards of NVIDIA\"},"
                + "\"Error\":\"\"}");
    assertThat(ask(Verb.FILTER, "{\"Pod\":" + share("r", "1") + ",\"NodeNames\":null}"))
        .contains("\"NodeNames\":[]", "\"FailedNodes\":{}");
  }

  @Test
  void evictionsDoNotHelpAPodThatItsQueueHoldsBack() throws Exception {
    ledger.queues(List.of(new QueueEntry("default", Optional.empty(), Quota.build(500))));
    var asked = ",\"Nodes\":null,\"NodeNames\":[\"a\",\"b\"]}";
    ask(Verb.FILTER, "{\"Pod\":" + share("p", "40960") + asked);
    var reason = "GPU: queue default has 0.5 of at most 0.5 cards, and the pod asks for 0.5";

    var answer = JSON.readTree(ask(Verb.FILTER, "{\"Pod\":" + share("q", "40960") + asked));

    assertThat(answer.get("NodeNames")).isEmpty();
    assertThat(answer.get("FailedNodes")).isEmpty();
    assertThat(answer.at("/FailedAndUnresolvableNodes/a").asText()).isEqualTo(reason);
    assertThat(answer.at("/FailedAndUnresolvableNodes/b").asText()).isEqualTo(reason);
    assertThat(ledger.decisions().getFirst().reason()).isEqualTo(reason.substring(5));
  }

  @Test
  void filtersWholeNodesWithoutAssumingAnything() throws Exception {
    var nodes = "{\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"x\"}}]}";
    var body = "{\"Pod\":%s,\"Nodes\":%s}".formatted(share("p", "50000"), nodes);

    var answer = JSON.readTree(ask(Verb.FILTER, body));

    assertThat(answer.get("Nodes").get("items")).hasSize(1);
    assertThat(answer.at("/Nodes/items/0/metadata/name").asText()).isEqualTo("a");
    assertThat(answer.get("NodeNames").isNull()).isTrue();
    assertThat(ledger.totals().heldMemoryMib()).isZero();
  }

  @Test
  void givesPodsWithoutDevicesEveryNode() throws Exception {
    var pod =
        "{\"metadata\":{\"name\":\"p\",\"namespace\":\"d\",\"uid\":\"u\"},\"spec\":{\"containers\":[]}}";

    assertThat(ask(Verb.FILTER, "{\"Pod\":" + pod + ",\"NodeNames\":[\"x\",\"y\"]}"))
        .contains("\"NodeNames\":[\"x\",\"y\"]");
  }

  @Test
  void prioritizesInTheOrderOfItsOffer() throws Exception {
    var names = ",\"Nodes\":null,\"NodeNames\":[\"x\",\"b\",\"a\"]}";
    ask(Verb.FILTER, "{\"Pod\":" + share("p", "100") + names);

    assertThat(ask(Verb.PRIORITIZE, "{\"Pod\":" + share("p", "100") + names))
        .isEqualTo(
            "[{\"Host\":\"x\",\"Score\":0},{\"Host\":\"b\",\"Score\":9},{\"Host\":\"a\",\"Score\":10}]");
  }

  @Test
  void bindsWithTheDecisionInTheSameWrite() throws Exception {
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\",\"b\"]}".formatted(share("p", "50000")));

    assertThat(ask(Verb.BIND, bind("p", "b"))).isEqualTo("{\"Error\":\"\"}");

    assertThat(binder.nodes()).containsExactly("b");
    assertThat(binder.annotationsOf("p"))
        .containsEntry("hami.io/vgpu-devices-allocated", "GPU-b-0,NVIDIA,50000,0:;")
        .containsEntry("hami.io/bind-phase", "allocating");
    assertThat(ask(Verb.BIND, bind("p", "b"))).contains("is being bound to node b already");
  }

  private static String bind(String pod, String node) {
    return "{\"PodName\":\"%1$s\",\"PodNamespace\":\"default\",\"PodUID\":\"uid-%1$s\",\"Node\":\"%2$s\"}"
        .formatted(pod, node);
  }

  @Test
  void leavesNothingBehindWhenABindFails() throws Exception {
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("p", "50000")));
    binder.answer(new PodBinder.Outcome.Failed("already bound"));

    assertThat(ask(Verb.BIND, bind("p", "a"))).isEqualTo("{\"Error\":\"already bound\"}");

    assertThat(ledger.totals().pods()).isZero();
    binder.answer(new PodBinder.Outcome.Bound());
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("q", "50000")));
    assertThat(ask(Verb.BIND, bind("q", "a"))).as("it was the turn of nobody").contains("\"\"");
  }

  @Test
  void holdsOnToABindingOfWhichNobodyKnowsWhetherItWasMade() throws Exception {
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("p", "50000")));
    binder.answer(new PodBinder.Outcome.Unknown("no answer"));

    assertThat(ask(Verb.BIND, bind("p", "a"))).isEqualTo("{\"Error\":\"no answer\"}");

    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(50_000);
    committer.resolveUnknown();
    assertThat(ledger.totals().heldMemoryMib()).as("nobody answers yet").isEqualTo(50_000);

    binder.answer(new PodBinder.Outcome.Failed("it is not bound"));
    committer.resolveUnknown();
    assertThat(ledger.totals().heldMemoryMib()).isZero();

    binder.answer(new PodBinder.Outcome.Bound());
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("p", "50000")));
    assertThat(ask(Verb.BIND, bind("p", "a"))).contains("\"\"");
  }

  @Test
  void letsOnePodAtATimeOnANode() throws Exception {
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("p", "100")));
    ask(Verb.BIND, bind("p", "a"));
    ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("q", "100")));

    assertThat(ask(Verb.BIND, bind("q", "a")))
        .isEqualTo("{\"Error\":\"the device plugin of node a is still busy with other pods\"}");
    assertThat(ledger.totals().heldMemoryMib()).isEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                                        | not a JSON object
          {                                         | not JSON
          []                                        | not a JSON object
          {}                                        | Pod is missing
          {"Pod":7}                                 | Pod is missing
          {"Pod":{}}                                | Pod cannot be read
          {"Pod":{"metadata":{"name":"p"}}}         | Pod cannot be read
          {"Pod":{"metadata":{"name":"p","namespace":"n","uid":"u"},"spec":{}},"NodeNames":"a"} | NodeNames is not a list
          """)
  void saysWhatIsWrongWithARequest(String body, String sentence) {
    assertThatThrownBy(() -> ask(Verb.FILTER, body))
        .isInstanceOf(MalformedRequestException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void refusesToBindWhatItDoesNotKnow() throws Exception {
    assertThat(ask(Verb.BIND, bind("stranger", "a")))
        .isEqualTo("{\"Error\":\"there is no waiting pod with UID uid-stranger\"}");
    assertThatThrownBy(() -> ask(Verb.BIND, "{\"PodName\":\"p\"}")).hasMessage("PodUID is missing");
  }

  @Test
  void survivesAmountsBeyond64Bits() throws Exception {
    for (var amount : List.of("99999999999999999999999", "-1", "1Ei")) {
      assertThat(
              ask(Verb.FILTER, "{\"Pod\":%s,\"NodeNames\":[\"a\"]}".formatted(share("p", amount))))
          .contains("\"NodeNames\":[]", "ask for 0 to");
    }
  }
}
