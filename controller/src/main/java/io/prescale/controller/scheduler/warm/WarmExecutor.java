package io.prescale.controller.scheduler.warm;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.prescale.controller.scheduler.evictions.Retries;
import io.prescale.controller.scheduler.reclaim.BookingState;
import io.prescale.controller.scheduler.warm.WarmPod.State;
import io.prescale.controller.scheduler.warm.WarmRound.Create;
import io.prescale.controller.scheduler.warm.WarmWish.Place;
import io.prescale.placement.inventory.PodFacts;
import io.prescale.placement.ledger.Ledger;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls the images of bookings ahead to the nodes where their replicas will be: reads which pods of
 * ours there are, has {@link WarmRound} decide, and carries it out; and measures what that saves.
 */
public final class WarmExecutor {
  private static final Logger LOG = LoggerFactory.getLogger(WarmExecutor.class);

  private final Ledger ledger;
  private final InstantSource clock;
  private final WarmSettings settings;
  private final WarmMetrics metrics;
  private final Supplier<List<WarmBooking>> bookings;
  private final Supplier<Map<String, BookingState>> states;
  private final WarmWriter writer;
  private final WarmStarts starts;
  private final SteadyPlaces steady = new SteadyPlaces();
  private final Map<String, WarmPod> pods = new ConcurrentHashMap<>();

  /** What the API server said to the last pod of a booking. For the thread of the rounds. */
  private final Map<String, String> refused = new HashMap<>();

  private final Retries refusals = new Retries(Duration.ofMinutes(10), Duration.ofHours(2));
  private final Retries unclear = new Retries(Duration.ofSeconds(10), Duration.ofMinutes(10));
  private volatile Map<String, WarmReport> reports = Map.of();

  /**
   * An executor that has seen nothing.
   *
   * @param bookings that are to be kept to
   * @param states what became of their replicas in the last second, by their keys
   */
  public WarmExecutor(
      KubernetesClient client,
      Ledger ledger,
      InstantSource clock,
      WarmSettings settings,
      WarmMetrics metrics,
      Supplier<List<WarmBooking>> bookings,
      Supplier<Map<String, BookingState>> states) {
    this.ledger = ledger;
    this.clock = clock;
    this.settings = settings;
    this.metrics = metrics;
    this.bookings = bookings;
    this.states = states;
    writer = new WarmWriter(client);
    starts = new WarmStarts(metrics);
  }

  /** Records the newest state of a pod: one that pulls, or one that has started. */
  public void seen(Pod pod) {
    WarmPod.of(pod, clock.instant())
        .ifPresent(it -> pods.merge(it.key(), it, (before, after) -> after.after(before)));
    if (settings.isOn()) {
      starts.seen(pod);
    }
  }

  /** Removes a pod that is gone. */
  public void gone(Pod pod) {
    pods.remove(Cache.metaNamespaceKeyFunc(pod));
    starts.gone(pod);
  }

  /**
   * What the statuses of bookings say of their images, by their keys; empty while it is off. Of
   * those that it lacks nothing is known yet.
   */
  public Optional<Map<String, WarmReport>> reports() {
    return settings.isOn() ? Optional.of(reports) : Optional.empty();
  }

  /** What is written on a pod that is bound to a node, if it is one of a booking. */
  public Map<String, String> marks(PodFacts pod, String node) {
    if (!settings.isOn()) {
      return Map.of();
    }
    return bookings.get().stream()
        .filter(it -> it.pods().matches(pod))
        .findFirst()
        .map(it -> Map.of(ImageState.ANNOTATION, images(it, node).word()))
        .orElse(Map.of());
  }

  private ImageState images(WarmBooking booking, String node) {
    var images = booking.images();
    var state =
        pods.values().stream()
            .filter(
                it ->
                    it.booking().equals(booking.uid())
                        && it.node().equals(node)
                        && it.digest().equals(images.digest()))
            .max(Comparator.comparingInt(WarmPod::attempt))
            .map(WarmPod::state)
            .orElse(State.FAILED);
    return switch (state) {
      case PULLED -> ImageState.PULLED_AHEAD;
      case PULLING -> ImageState.PULLING;
      case FAILED -> images.areOn(imagesOf(node)) ? ImageState.PRESENT : ImageState.ABSENT;
    };
  }

  private Set<String> imagesOf(String node) {
    return ledger.cluster().find(node).map(it -> it.spec().images()).orElse(Set.of());
  }

  /**
   * One round; for one thread.
   *
   * @param isAnswering whether this replica decides; asked before each write
   */
  public void round(BooleanSupplier isAnswering) {
    if (!isAnswering.getAsBoolean()) {
      reports = Map.of();
      starts.forget();
    } else {
      carryOut(settings.isOn() ? bookings.get() : List.of(), isAnswering, clock.instant());
    }
  }

  /** Without bookings, all pods are deleted. */
  private void carryOut(List<WarmBooking> all, BooleanSupplier isAnswering, Instant now) {
    var byUid = all.stream().collect(toMap(WarmBooking::uid, Function.identity(), (a, _) -> a));
    starts.retain(byUid.keySet());
    refused.keySet().retainAll(byUid.keySet());
    refusals.forget(now);
    unclear.forget(now);
    var result =
        WarmRound.decide(
            wishes(byUid, now),
            List.copyOf(pods.values()),
            ledger.cluster().nodes().map(node -> node.name()).collect(toSet()),
            settings,
            now);
    result.delete().stream().filter(_ -> isAnswering.getAsBoolean()).forEach(this::delete);
    result.create().stream()
        .filter(it -> isAnswering.getAsBoolean() && mayCreate(it.booking(), now))
        .forEach(it -> create(it, Objects.requireNonNull(byUid.get(it.booking())), now));
    metrics.pods(pods.values());
    reports =
        byUid.values().stream()
            .collect(
                toMap(
                    WarmBooking::key,
                    it ->
                        WarmReport.of(
                            Objects.requireNonNull(result.progress().get(it.uid())),
                            starts.of(it),
                            Optional.ofNullable(refused.get(it.uid())))));
  }

  private List<WarmWish> wishes(Map<String, WarmBooking> byUid, Instant now) {
    var known = states.get();
    var places = new HashMap<String, Map<String, Instant>>();
    byUid
        .values()
        .forEach(
            it -> places.put(it.uid(), known.getOrDefault(it.key(), BookingState.NONE).nodes()));
    var lasting = steady.of(places, now);
    return byUid.values().stream()
        .map(it -> wish(it, Objects.requireNonNull(lasting.get(it.uid())), now))
        .toList();
  }

  private WarmWish wish(WarmBooking booking, Map<String, Instant> nodes, Instant now) {
    var images = booking.images();
    return new WarmWish(
        booking.uid(),
        images.digest(),
        booking.isNeeded(now, settings.ahead()) && !images.images().isEmpty(),
        mayCreate(booking.uid(), now),
        booking.mostNodes(now, settings.ahead()),
        nodes.entrySet().stream()
            .map(it -> new Place(it.getKey(), it.getValue(), images.areOn(imagesOf(it.getKey()))))
            .toList());
  }

  private boolean mayCreate(String booking, Instant now) {
    return refusals.isDue(booking, now) && unclear.isDue(booking, now);
  }

  private void create(Create create, WarmBooking booking, Instant now) {
    var pod = WarmManifest.of(booking, create.node(), create.attempt(), settings);
    switch (writer.create(pod)) {
      case WarmWriter.Outcome.Created(var created) -> {
        refused.remove(booking.uid());
        WarmPod.of(created, now).ifPresent(it -> pods.putIfAbsent(it.key(), it));
        LOG.info("Images of booking {} are pulled to node {}.", booking.key(), create.node());
      }
      case WarmWriter.Outcome.Unclear _ -> unclear.tried(booking.uid(), now);
      case WarmWriter.Outcome.Refused(var sentence) -> {
        refused.put(booking.uid(), sentence);
        refusals.tried(booking.uid(), now);
        LOG.warn("No images are pulled for booking {}: {}", booking.key(), sentence);
      }
    }
  }

  /** Its end may have been seen before the answer to its creation. */
  private void delete(WarmPod pod) {
    if (writer.delete(pod)) {
      pods.remove(pod.key());
    }
  }
}
