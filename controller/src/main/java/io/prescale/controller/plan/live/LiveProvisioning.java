package io.prescale.controller.plan.live;

import static java.util.stream.Collectors.toSet;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.prescale.controller.api.v1alpha1.GpuBooking;
import io.prescale.controller.cluster.ServedKind;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * ProvisioningRequests in the API server, as the Cluster Autoscaler reads them: one for each gang,
 * for which it adds all nodes or none. It holds them for ten minutes from then on; a request whose
 * time is over is made anew while its gang has no pods. For one look. Not thread-safe.
 */
final class LiveProvisioning implements BufferStore {
  static final ResourceDefinitionContext REQUESTS =
      ServedKind.of(
          "autoscaling.x-k8s.io", "v1", "ProvisioningRequest", "provisioningrequests", true);

  private static final String BOOKING = "autoscaling.prescale.io/booking";
  private static final String CLASS = "best-effort-atomic-scale-up.autoscaling.x-k8s.io";

  /** The autoscaler stops trying after this time, even if nothing is left to delete the request. */
  private static final Map<String, String> PARAMETERS = Map.of("ValidUntilSeconds", "3600");

  private static final Set<String> OVER = Set.of("Failed", "BookingExpired", "CapacityRevoked");

  private final KubernetesClient client;
  private final OwnedObjects owned;

  LiveProvisioning(KubernetesClient client) {
    this.client = client;
    owned = new OwnedObjects(client);
  }

  @Override
  public String asks() {
    return "ProvisioningRequests ask";
  }

  @Override
  public boolean isServed() {
    return ServedKind.isServed(client, REQUESTS);
  }

  @Override
  public boolean suits(BookedTemplate template) {
    return template.isGang();
  }

  /** Only of gangs, or of a booking that was of gangs until this look. */
  @Override
  public boolean mayHold(GpuBooking booking) {
    return booking.getSpec() == null || booking.getSpec().size() != null;
  }

  /** One whose time is over is held still: it has to be replaced. */
  @Override
  public Optional<Buffer> find(GpuBooking booking) {
    var all = requests(booking);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    var read = BufferNotes.read(all.getFirst(), true, all.size());
    return Optional.of(all.stream().allMatch(LiveProvisioning::isValid) ? read : read.unwritten());
  }

  /** Those of a booking, in the order of their names. */
  private List<GenericKubernetesResource> requests(GpuBooking booking) {
    try {
      return client
          .genericKubernetesResources(REQUESTS)
          .inNamespace(booking.getMetadata().getNamespace())
          .withLabels(OwnedObjects.LABELS)
          .withLabel(BOOKING, booking.getMetadata().getUid())
          .list()
          .getItems()
          .stream()
          .sorted(Comparator.comparing(it -> it.getMetadata().getName()))
          .toList();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return List.of();
      }
      throw e;
    }
  }

  private static boolean isValid(GenericKubernetesResource request) {
    return !(request.get("status", "conditions") instanceof List<?> conditions)
        || conditions.stream().noneMatch(LiveProvisioning::isOver);
  }

  private static boolean isOver(Object condition) {
    return condition instanceof Map<?, ?> it
        && "True".equals(it.get("status"))
        && it.get("type") instanceof String type
        && OVER.contains(type);
  }

  /**
   * What a request asks for cannot be changed: others take its place, and are there before it goes.
   */
  @Override
  public void apply(GpuBooking booking, BookedTemplate template, Buffer buffer) {
    owned.apply(booking, workerName(booking), template.requesting());
    if (template.leaderAsksForOthers()) {
      owned.apply(booking, leaderName(booking), template.requestingLeader());
    }
    var all = requests(booking);
    var kept =
        all.stream()
            .filter(it -> isValid(it) && BufferNotes.shape(it).equals(buffer.shape()))
            .limit(buffer.replicas())
            .toList();
    var taken = all.stream().map(it -> it.getMetadata().getName()).collect(toSet());
    kept.stream()
        .map(it -> it.getMetadata())
        .forEach(
            it ->
                apply(
                    it.getName(),
                    Optional.ofNullable(it.getResourceVersion()),
                    booking,
                    template,
                    buffer));
    for (int number = 0, made = kept.size(); made < buffer.replicas(); number++) {
      var name = "%s-%d".formatted(OwnedObjects.name(booking), number);
      if (!taken.contains(name)) {
        apply(name, Optional.empty(), booking, template, buffer);
        made++;
      }
    }
    all.stream().filter(it -> !kept.contains(it)).forEach(this::delete);
  }

  /** Others than those of a CapacityBuffer, so that neither deletes the other's. */
  private static String workerName(GpuBooking booking) {
    return OwnedObjects.name(booking) + "-worker";
  }

  private static String leaderName(GpuBooking booking) {
    return OwnedObjects.name(booking) + "-leader";
  }

  private void delete(GenericKubernetesResource request) {
    client.genericKubernetesResources(REQUESTS).resource(request).delete();
  }

  private void apply(
      String name,
      Optional<String> seen,
      GpuBooking booking,
      BookedTemplate template,
      Buffer buffer) {
    owned.apply(
        booking,
        REQUESTS,
        name,
        seen,
        Map.of(BOOKING, booking.getMetadata().getUid()),
        BufferNotes.of(buffer, template),
        Map.of(
            "provisioningClassName",
            CLASS,
            "parameters",
            PARAMETERS,
            "podSets",
            podSets(booking, template)));
  }

  /** A leader without cards may be on other nodes, and needs none to come. */
  private static List<Map<String, Object>> podSets(GpuBooking booking, BookedTemplate template) {
    var worker = workerName(booking);
    return template.leaderAsksForOthers()
        ? List.of(podSet(leaderName(booking), 1), podSet(worker, template.pods() - 1))
        : List.of(podSet(worker, template.pods()));
  }

  private static Map<String, Object> podSet(String template, int count) {
    return Map.of("podTemplateRef", Map.of("name", template), "count", count);
  }

  @Override
  public void delete(GpuBooking booking) {
    requests(booking).forEach(this::delete);
    var meta = booking.getMetadata();
    owned.delete(meta.getNamespace(), workerName(booking));
    owned.delete(meta.getNamespace(), leaderName(booking));
  }
}
