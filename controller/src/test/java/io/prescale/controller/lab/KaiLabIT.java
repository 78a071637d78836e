package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static io.prescale.controller.lab.QueuesOnEightCards.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A claim of eight cards on one node where borrowed cards are all in use: the two cases in which
 * KAI-Scheduler 0.17 was measured, on nodes of eight cards with the real kube-scheduler. It evicted
 * 64 pods of eight gangs in the first, and 53 pods in the second (of 1,000 nodes).
 */
class KaiLabIT {
  private static final int CARDS = RegisteredNodes.CARDS;
  private static final int GANGS = 20;

  /** Gangs of which each node has one pod, on as many nodes; the others have a node each. */
  private static final int SPREAD = 8;

  /** A multiple of eight; as many as KAI had take a quarter of an hour. */
  private static final int ELASTIC_JOBS = Integer.getInteger("prescale.elasticJobs", 200);

  private static final Duration GRACE = Duration.ofSeconds(5);

  /** One second is the aim on a machine that does nothing else. */
  private static final Duration NOTICE_WITHIN = Duration.ofSeconds(5);

  private static final Duration UNTIL_FULL = Duration.ofMinutes(20);

  @RegisterExtension static final ExtenderOnCluster EXTENDER = new ExtenderOnCluster(0);
  private static final QueuesOnEightCards QUEUES = new QueuesOnEightCards(EXTENDER);
  private static final LentCards LENT = new LentCards(QUEUES);

  private KubernetesClient client;
  private SeenPods seen;

  /** Of the rounds before the claim, most of them while the Jobs still filled the cluster. */
  private Map<String, Double> before = Map.of();

  @BeforeAll
  static void define() throws Exception {
    QUEUES.define();
  }

  @BeforeEach
  void queues() throws Exception {
    client = LabObjects.client(lab());
    seen = new SeenPods(client);
    lab()
        .apply(
            queue("serving", "{guarantee: %d}".formatted(CARDS))
                + LentCards.lender(GRACE.toSeconds() + "s"));
    QUEUES.awaitReason("training", "InForce");
  }

  @AfterEach
  void removeAll() throws Exception {
    seen.close();
    client.close();
    lab().kubectl("delete", "jobs", "--all", "--cascade=foreground");
    lab().kubectl("delete", "nodes", "--all");
    lab().kubectl("delete", "gpuqueues", "--all");
  }

  @Test
  void ofTwentyGangsOneHasNoticeAndGoesOnWhenTheClaimIsOver() throws Exception {
    for (int gang = 0; gang < SPREAD; gang++) {
      // Only one card of each node is free, so that the gang is on eight nodes.
      lab().apply(RegisteredNodes.manifest(0, SPREAD, gang + 1));
      lab().apply(gang(gang, ""));
      awaitBound("gang-", CARDS * (gang + 1));
    }
    lab().apply(RegisteredNodes.manifest(SPREAD, GANGS, CARDS));
    for (int gang = SPREAD; gang < GANGS; gang++) {
      lab().apply(gang(gang, ON_ONE_NODE));
    }
    awaitBound("gang-", CARDS * GANGS);

    claim();

    assertEachHadNoticeBeforeItLeft();
    assertThat(jobsWithNotice()).singleElement().satisfies(job -> assertThat(job).matches(ALONE));
    assertThat(LENT.suspended()).hasSize(1);
    assertThat(seen.bound("gang-")).isEqualTo(CARDS * (GANGS - 1));
    end();
    awaitBound("gang-", CARDS * GANGS);
    patiently().untilAsserted(() -> assertThat(LENT.suspended()).isEmpty());
    assertThat(seen.notices()).as("nothing else was asked meanwhile").hasSize(CARDS);
    report("20 gangs of 8");
  }

  @Test
  void ofManyElasticJobsEightPodsHaveNoticeAndAreMadeAgainWhenTheClaimIsOver() throws Exception {
    lab().apply(RegisteredNodes.manifest(0, ELASTIC_JOBS, CARDS));
    lab()
        .apply(
            IntStream.range(0, ELASTIC_JOBS)
                .mapToObj(KaiLabIT::elasticJob)
                .collect(Collectors.joining()));
    awaitBound("elastic-", CARDS * ELASTIC_JOBS);

    claim();

    assertEachHadNoticeBeforeItLeft();
    assertThat(jobsWithNotice()).as("none loses more than a pod").hasSize(CARDS);
    assertThat(LENT.suspended()).isEmpty();
    assertThat(seen.bound("elastic-")).isEqualTo(CARDS * (ELASTIC_JOBS - 1));
    end();
    awaitBound("elastic-", CARDS * ELASTIC_JOBS);
    assertThat(seen.notices()).as("nothing else was asked meanwhile").hasSize(CARDS);
    report(ELASTIC_JOBS + " elastic jobs of 8");
  }

  private static final String ON_ONE_NODE =
      ", gpu.prescale.io/group-required-topology: kubernetes.io/hostname";

  /** The gangs on a node each. */
  private static final String ALONE = "gang-(8|9|1.)";

  /** Runs with all eight pods or not at all. */
  private static String gang(int number, String annotations) {
    var name = "gang-" + number;
    return LentCards.job(
        name, CARDS, RegisteredNodes.WHOLE_CARD, group(name, CARDS) + annotations, "");
  }

  /** Needs one of its eight pods; they are on the eight nodes of a block. */
  private static String elasticJob(int number) {
    var name = "elastic-" + number;
    return LentCards.job(
        name, CARDS, RegisteredNodes.WHOLE_CARD, group(name, 1), apartIn(number / CARDS, name));
  }

  private static String group(String name, int needed) {
    return ", gpu.prescale.io/group: %s, gpu.prescale.io/group-size: \"%d\""
        .formatted(name, needed);
  }

  /** On the nodes of a block, no two of the Job's on one. */
  private static String apartIn(int block, String job) {
    return """
    nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [\
    {matchExpressions: [{key: lab/block, operator: In, values: ["%d"]}]}]}}, \
    podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [\
    {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: \
    {batch.kubernetes.io/job-name: %s}}}]}\
    """
        .formatted(block, job);
  }

  private void awaitBound(String prefix, int pods) {
    patiently()
        .atMost(UNTIL_FULL)
        .alias(prefix)
        .untilAsserted(() -> assertThat(seen.bound(prefix)).isEqualTo(pods));
  }

  /** A pod that needs all cards of a node, until it has them. */
  private void claim() throws Exception {
    assertThat(seen.notices()).isEmpty();
    before = decisions();
    lab()
        .apply(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: claim-0, namespace: default, labels: {gpu.prescale.io/queue: serving}}
            spec:
              terminationGracePeriodSeconds: 0
              containers:
              - {name: main, image: model, resources: {limits: {%s}}}
            """
                .formatted(RegisteredNodes.limits(CARDS)));
    awaitBound("claim-", 1);
  }

  private static void end() throws Exception {
    QUEUES.end("claim");
  }

  private void assertEachHadNoticeBeforeItLeft() {
    var notices = seen.notices();
    assertThat(notices).hasSize(CARDS);
    assertThat(seen.left().keySet()).isEqualTo(notices.keySet());
    notices.forEach(
        (uid, notice) ->
            assertThat(seen.left().get(uid)).as(notice.pod()).isAfterOrEqualTo(notice.until()));
    assertThat(noticeTimes().getFirst()).isBetween(Duration.ZERO, NOTICE_WITHIN);
  }

  private Set<String> jobsWithNotice() {
    return seen.notices().values().stream().map(SeenPods.Notice::job).collect(Collectors.toSet());
  }

  /** From the claim until each notice, the shortest first. */
  private List<Duration> noticeTimes() {
    Instant claimed = seen.created("claim-0");
    var times = new ArrayList<Duration>();
    seen.notices().values().forEach(it -> times.add(Duration.between(claimed, it.seen())));
    times.sort(null);
    return times;
  }

  private void report(String what) throws Exception {
    var times = noticeTimes();
    System.out.printf(
        Locale.ROOT,
        "%s: first notice after %d ms, last after %d ms; decisions:%n",
        what,
        times.getFirst().toMillis(),
        times.getLast().toMillis());
    var all = decisions();
    all.forEach((series, count) -> System.out.printf(Locale.ROOT, "%s %.3f%n", series, count));
    System.out.println("of these since the claim:");
    all.forEach(
        (series, count) ->
            System.out.printf(
                Locale.ROOT, "%s %.3f%n", series, count - before.getOrDefault(series, 0.0)));
  }

  /** How long rounds took to decide: counts up to each bound, and sums, as the extender counts. */
  private static Map<String, Double> decisions() throws Exception {
    var decisions = new LinkedHashMap<String, Double>();
    EXTENDER
        .cluster()
        .extender()
        .get("/metrics")
        .lines()
        .filter(line -> line.startsWith("prescale_reclaim_decision_seconds"))
        .filter(line -> !line.contains("_created"))
        .forEach(
            line -> {
              int end = line.lastIndexOf(' ');
              decisions.put(line.substring(0, end), Double.parseDouble(line.substring(end + 1)));
            });
    return decisions;
  }

  private static Lab lab() {
    return QUEUES.lab();
  }
}
