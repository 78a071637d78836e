package io.prescale.controller.states;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.controller.cluster.ApiServerFaults;
import io.prescale.controller.telemetry.Telemetry;
import io.prescale.controller.values.ValuePublisher;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;

/**
 * Saved forecasters of all PredictiveHPAs, in {@value #PAGES} ConfigMaps: by the UID, which also
 * says on which page, so that one request reads those of many that tick one after the other. A new
 * leader goes on from them and fits nothing anew that is fresh. What cannot be read or written
 * costs only time: without it, the history is read from the server of the metric. Thread-safe.
 */
public final class SavedStates implements AutoCloseable {
  /** With 24 KiB a metric and {@value StatePage#MOST_BYTES} bytes a page, room for 4,700. */
  static final int PAGES = 128;

  /** The name of one of the ConfigMaps, to check permissions with. */
  public static final String ANY_PAGE = name(0);

  /** Models that are fitted at about the same time are one write. */
  private static final Duration BEFORE_A_WRITE = Duration.ofSeconds(20);

  private final ExecutorService writing = Executors.newVirtualThreadPerTaskExecutor();
  private final List<StatePage> pages;

  /**
   * Nothing is read or written yet.
   *
   * @param namespace of the ConfigMaps
   * @param leads whether this replica may write at this moment for the PredictiveHPAs at a
   *     {@linkplain ValuePublisher#position position}
   */
  public SavedStates(
      KubernetesClient client,
      String namespace,
      DoublePredicate leads,
      InstantSource clock,
      Telemetry telemetry) {
    this(client, namespace, leads, clock, telemetry, BEFORE_A_WRITE);
  }

  SavedStates(
      KubernetesClient client,
      String namespace,
      DoublePredicate leads,
      InstantSource clock,
      Telemetry telemetry,
      Duration beforeAWrite) {
    var faults =
        new ApiServerFaults("Saved states cannot be written", "Saved states are written again");
    pages =
        IntStream.range(0, PAGES)
            .mapToObj(
                page ->
                    new StatePage(
                        client,
                        namespace,
                        name(page),
                        () -> leads.test(page / (double) PAGES),
                        clock,
                        telemetry,
                        beforeAWrite,
                        writing,
                        faults))
            .toList();
  }

  private static String name(int page) {
    return "prescale-states-%03d".formatted(page);
  }

  /**
   * What was saved of a PredictiveHPA. One request, for the first of a page.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException when the API server cannot be
   *     reached; a refusal that lasts is no state
   */
  public Optional<SavedTarget> of(String uid) {
    return page(uid).read(uid);
  }

  /**
   * Has states read again that other replicas may have written since they were read; never waits.
   *
   * @param those PredictiveHPAs, by their {@linkplain ValuePublisher#position position}
   */
  public void outdate(DoublePredicate those) {
    IntStream.range(0, PAGES)
        .filter(page -> those.test(page / (double) PAGES))
        .forEach(page -> pages.get(page).outdate());
  }

  /** Saves a PredictiveHPA; returns before it is written. */
  public void keep(String uid, SavedTarget saved) {
    page(uid).write(uid, Optional.of(saved.toBytes()));
  }

  /** Forgets a PredictiveHPA that was deleted; returns before it is written. */
  public void forget(String uid) {
    page(uid).write(uid, Optional.empty());
  }

  private static int number(String uid) {
    return (int) (ValuePublisher.position(uid) * PAGES);
  }

  /** The name of the ConfigMap that has a PredictiveHPA. */
  static String pageOf(String uid) {
    return name(number(uid));
  }

  private StatePage page(String uid) {
    return pages.get(number(uid));
  }

  @Override
  public void close() {
    writing.shutdownNow();
  }
}
