package io.prescale.controller.lab;

import static io.prescale.controller.lab.Patience.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.prescale.placement.inventory.IndependentDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A laboratory with kube-scheduler, the extender's permissions, stand-ins for the device plugins,
 * and nodes that carry HAMi's annotations of four vendors. The extender itself is started by tests.
 */
final class ExtenderCluster implements AutoCloseable {
  private static final String NAMESPACE = "default";

  private final Lab lab;
  private final ExtenderInLab extender;
  private final KubernetesClient client;
  private final HamiPlugins plugins;

  private ExtenderCluster(
      Lab lab, ExtenderInLab extender, KubernetesClient client, HamiPlugins plugins) {
    this.lab = lab;
    this.extender = extender;
    this.client = client;
    this.plugins = plugins;
  }

  /**
   * Starts one.
   *
   * @param options of the laboratory besides
   */
  static ExtenderCluster start(int nodesOfAVendor, String... options)
      throws IOException, InterruptedException {
    var folder = Files.createTempDirectory(Replica.logs(), "extender-");
    int port = PrescaleInLab.freePort();
    var scheduler = ExtenderInLab.schedulerConfiguration(folder, port);
    var all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--nodes=0", "--pod-start-delay=1s", "--scheduler-config=" + scheduler));
    var lab = Lab.start(all.toArray(String[]::new));
    var client = LabObjects.client(lab);
    var cluster =
        new ExtenderCluster(
            lab, ExtenderInLab.install(lab, folder, port), client, new HamiPlugins(client));
    var nodes = new StringBuilder();
    for (var vendor : HamiVendor.values()) {
      for (int number = 0; number < nodesOfAVendor; number++) {
        nodes.append(vendor.node(number, true));
      }
    }
    if (nodesOfAVendor > 0) {
      var manifest = Files.writeString(folder.resolve("nodes.yaml"), nodes);
      lab.kubectl("create", "--validate=false", "-f", manifest.toString());
    }
    return cluster;
  }

  Lab lab() {
    return lab;
  }

  ExtenderInLab extender() {
    return extender;
  }

  HamiPlugins plugins() {
    return plugins;
  }

  List<Pod> pods() {
    return client.pods().inNamespace(NAMESPACE).list().getItems();
  }

  List<Pod> podsOf(HamiVendor vendor) {
    return podsNamed(vendor.name().toLowerCase(Locale.ROOT));
  }

  List<Pod> podsNamed(String prefix) {
    return pods().stream()
        .filter(pod -> pod.getMetadata().getName().startsWith(prefix + "-"))
        .toList();
  }

  /** Pods with a finalizer stay, until their laboratory ends. */
  void deletePods() throws IOException, InterruptedException {
    lab.kubectl(
        "delete",
        "pods",
        "--all",
        "--namespace=default",
        "--grace-period=0",
        "--force",
        "--wait=false");
    plugins.complaints().clear();
  }

  int bound() {
    return bound(pods());
  }

  /** How many pods with names that begin so are on a node. */
  int bound(String prefix) {
    return bound(podsNamed(prefix));
  }

  private static int bound(List<Pod> pods) {
    return (int) pods.stream().filter(pod -> pod.getSpec().getNodeName() != null).count();
  }

  void awaitBound(int pods) {
    patiently().alias("bound pods").untilAsserted(() -> assertThat(bound()).isEqualTo(pods));
  }

  static String annotation(Pod pod, String key) {
    return pod.getMetadata().getAnnotations().getOrDefault(key, "");
  }

  /** Memory that is used of each card, in MiB, as the pods on nodes have it written. */
  Map<String, Integer> used(HamiVendor vendor) {
    var used = new TreeMap<String, Integer>();
    for (var pod : podsOf(vendor)) {
      for (var device : devices(vendor, pod)) {
        used.merge(device.uuid(), device.memoryMib(), Integer::sum);
      }
    }
    return used;
  }

  private static List<IndependentDecoder.Device> devices(HamiVendor vendor, Pod pod) {
    return pod.getSpec().getNodeName() == null
        ? List.of()
        : IndependentDecoder.decode(annotation(pod, vendor.record));
  }

  /** By what is written in the pods alone. */
  void assertNothingIsDoubleBooked() {
    for (var vendor : HamiVendor.values()) {
      var sharers = new TreeMap<String, Integer>();
      for (var pod : podsOf(vendor)) {
        for (var device : devices(vendor, pod)) {
          assertThat(device.uuid())
              .as("a card of the node on which the pod is")
              .startsWith("CARD-" + pod.getSpec().getNodeName() + "-");
          sharers.merge(device.uuid(), 1, Integer::sum);
        }
      }
      assertThat(used(vendor))
          .allSatisfy((_, mib) -> assertThat(mib).isLessThanOrEqualTo(vendor.cardMib));
      assertThat(sharers)
          .allSatisfy((_, pods) -> assertThat(pods).isLessThanOrEqualTo(HamiVendor.SHARERS));
    }
  }

  /** Waits until the extender gives a card to no new pods. */
  void awaitUnusable(String uuid) {
    patiently()
        .alias(uuid)
        .until(
            () ->
                extender()
                    .get("/metrics")
                    .lines()
                    .anyMatch(
                        line ->
                            line.startsWith("prescale_gpu_card_usable{")
                                && line.contains('"' + uuid + '"')
                                && line.endsWith(" 0.0")));
  }

  /** Waits until the device plugins have given so many pods their devices. */
  void awaitServed(int pods) {
    patiently()
        .alias("served pods")
        .untilAsserted(() -> assertThat(pods().size() - unserved().size()).isEqualTo(pods));
  }

  /** Every pod has its devices, no node a lock, and no plugin was asked for two pods at once. */
  void assertNothingIsLeftBehind() {
    patiently().alias("unserved pods").untilAsserted(() -> assertThat(unserved()).isEmpty());
    patiently().untilAsserted(() -> assertThat(locks()).isEmpty());
    assertThat(plugins.complaints()).isEmpty();
  }

  private List<String> unserved() {
    return pods().stream()
        .filter(pod -> !annotation(pod, "hami.io/bind-phase").equals("success"))
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }

  Map<String, String> locks() {
    var locks = new HashMap<String, String>();
    for (var node : client.nodes().list().getItems()) {
      var lock = node.getMetadata().getAnnotations().get("hami.io/mutex.lock");
      if (lock != null) {
        locks.put(node.getMetadata().getName(), lock);
      }
    }
    return locks;
  }

  /** Messages of events about an object. */
  List<String> events(String object, String reason) {
    return client.v1().events().inNamespace(NAMESPACE).list().getItems().stream()
        .filter(event -> object.equals(event.getInvolvedObject().getName()))
        .filter(event -> reason.equals(event.getReason()))
        .map(event -> event.getMessage())
        .toList();
  }

  @Override
  public void close() {
    plugins.close();
    client.close();
    lab.close();
  }
}
