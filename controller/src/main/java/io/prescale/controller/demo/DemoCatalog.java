package io.prescale.controller.demo;

import io.prescale.controller.input.DemoTrace;
import io.prescale.controller.input.LoadProfile;
import io.prescale.controller.simulation.cards.PausableJob;
import io.prescale.controller.simulation.cards.PodTemplate;
import io.prescale.controller.simulation.replay.ColdStart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The services and Jobs of the demo: five kinds of the ones, three of the others, repeated. Cards
 * are asked for in HAMi's words.
 */
final class DemoCatalog {
  /** The queue to which all cards belong. */
  static final String SERVING = "serving";

  /** The queue that borrows what services leave over. */
  static final String TRAINING = "training";

  static final String H100 = "NVIDIA-H100-80GB-HBM3";
  static final String A100 = "NVIDIA-A100-SXM4-80GB";
  static final String L40S = "NVIDIA-L40S";

  /** The models of all cards; a Job wants cards of one of them. */
  static final List<String> MODELS = List.of(H100, A100, L40S);

  private static final String COUNT = "nvidia.com/gpu";
  private static final LoadProfile OFFICE = DemoTrace.PROFILE;
  private static final LoadProfile EVENING =
      new LoadProfile(60, 240, 320, 0, 0, 3, 9.5, 22.5, 0.004, 0.03, 2);
  private static final LoadProfile NIGHTLY =
      new LoadProfile(40, 110, 60, 60, 220, 1.5, 7.5, 20, 0, 0.03, 1);

  /** What pods ask for. */
  private record Ask(Map<String, Long> amounts, Map<String, String> annotations) {
    static Ask of(String model, Map<String, Long> amounts) {
      return new Ask(amounts, Map.of("nvidia.com/use-gputype", model));
    }
  }

  private record Kind(
      String name,
      double capacity,
      LoadProfile load,
      ColdStart coldStart,
      Ask ask,
      int busyMilli,
      int maxReplicas) {
    Workload workload(String called, LoadProfile profile) {
      var pods =
          new PodTemplate(Workload.NAMESPACE, called, SERVING, ask.amounts(), ask.annotations());
      return new Workload(
          called,
          capacity,
          profile,
          coldStart,
          pods,
          pods.shape(Set.copyOf(MODELS)),
          busyMilli,
          maxReplicas);
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "chat-70b",
              40,
              OFFICE.times(0.36),
              coldStart(5, 7),
              new Ask(
                  Map.of(COUNT, 2L),
                  Map.of(
                      "nvidia.com/use-gputype", H100, "gpu.prescale.io/required-links", "nvlink")),
              880,
              14),
          new Kind(
              "chat-8b",
              32,
              OFFICE.times(0.7),
              coldStart(3, 4),
              Ask.of(A100, Map.of(COUNT, 1L, "nvidia.com/gpumem-percentage", 50L)),
              760,
              40),
          new Kind(
              "code-assist",
              24,
              OFFICE.times(0.45).later(1),
              coldStart(4, 5),
              Ask.of(L40S, Map.of(COUNT, 1L)),
              640,
              20),
          new Kind(
              "embeddings",
              120,
              NIGHTLY.times(6),
              coldStart(2, 3),
              Ask.of(L40S, Map.of(COUNT, 1L, "nvidia.com/gpumem-percentage", 25L)),
              420,
              40),
          new Kind(
              "speech",
              20,
              EVENING.times(0.5),
              coldStart(2, 3),
              Ask.of(
                  A100,
                  Map.of(COUNT, 1L, "nvidia.com/gpumem", 20L * 1024, "nvidia.com/gpucores", 30L)),
              520,
              30));

  private DemoCatalog() {}

  private static ColdStart coldStart(int usualMinutes, int p90Minutes) {
    return new ColdStart.LogNormal(
        Duration.ofMinutes(usualMinutes), Duration.ofMinutes(p90Minutes));
  }

  /**
   * The first services of the catalogue; those after the fifth repeat the kinds at other hours and
   * scales.
   */
  static List<Workload> workloads(int count) {
    return IntStream.range(0, count).mapToObj(DemoCatalog::workload).toList();
  }

  private static Workload workload(int index) {
    Kind kind = KINDS.get(index % KINDS.size());
    int round = index / KINDS.size();
    return round == 0
        ? kind.workload(kind.name(), kind.load())
        : kind.workload(
            "%s-%d".formatted(kind.name(), round + 1),
            kind.load().times(0.4 + 0.1 * (round % 9)).later(0.25 * (round % 5)));
  }

  /** A Job of one pod: four cards for six hours, or two for three or nine. */
  static PausableJob job(String model, int number) {
    int cards = number % 3 == 0 ? 4 : 2;
    int hours = 3 + 3 * (number % 3 == 0 ? 1 : number % 2 * 2);
    var ask = Ask.of(model, Map.of(COUNT, (long) cards));
    var name = "train-%d".formatted(number);
    return new PausableJob(
        new PodTemplate(Workload.NAMESPACE, name, TRAINING, ask.amounts(), ask.annotations()),
        1,
        cards,
        Duration.ofHours(hours));
  }
}
