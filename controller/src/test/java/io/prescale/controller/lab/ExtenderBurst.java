package io.prescale.controller.lab;

import static org.awaitility.Awaitility.await;

import io.prescale.controller.lab.Lab.Verb;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Locale;

/**
 * Thousands of pods of four vendors at once, with the device plugins' part played, while extender,
 * scheduler and API server are killed one after the other. Fails when a pod is stuck, a lock is
 * left or a card is promised twice. See {@code docs/benchmarks.md}.
 */
public final class ExtenderBurst {
  private static final Duration PATIENCE = Duration.ofMinutes(30);
  private static final Duration POLL = Duration.ofSeconds(2);
  private static final int SHARE_MIB = 16_384;

  private final ExtenderCluster cluster;

  private ExtenderBurst(ExtenderCluster cluster) {
    this.cluster = cluster;
  }

  /** Arguments: nodes of each of the four vendors, and pods of each. */
  public static void main(String[] args) throws Exception {
    int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 250;
    int pods = args.length > 1 ? Integer.parseInt(args[1]) : 1250;
    System.setProperty("sun.net.httpserver.nodelay", "true");
    System.setProperty(PrescaleInLab.LONG_RUNS, "true");
    try (var cluster = ExtenderCluster.start(nodes)) {
      new ExtenderBurst(cluster).run(pods);
    }
  }

  private void run(int podsOfAVendor) throws Exception {
    int pods = podsOfAVendor * HamiVendor.values().length;
    var extender = cluster.extender().start("burst");
    try {
      long start = System.nanoTime();
      for (var vendor : HamiVendor.values()) {
        var manifest = Files.createTempFile("pods", ".yaml");
        Files.writeString(manifest, vendor.pods("burst", podsOfAVendor, SHARE_MIB));
        cluster.lab().kubectl("create", "--validate=false", "-f", manifest.toString());
      }
      say(start, "created %d pods".formatted(pods));
      awaitBound(pods / 4);
      extender.kill();
      extender = cluster.extender().start("burst-again");
      say(start, "killed the extender");
      awaitBound(pods / 2);
      cluster.lab().command("kube-scheduler", Verb.KILL);
      cluster.lab().command("kube-scheduler", Verb.START);
      say(start, "killed the scheduler");
      awaitBound(pods * 3 / 4);
      cluster.lab().command("kube-apiserver", Verb.KILL);
      cluster.lab().command("kube-apiserver", Verb.START);
      say(start, "killed the API server");
      awaitBound(pods);
      say(start, "all are bound");
      cluster.assertNothingIsDoubleBooked();
      cluster.assertNothingIsLeftBehind();
      say(start, "all are served, no lock is left, and no card is promised twice");
    } finally {
      extender.close();
    }
  }

  private void awaitBound(int pods) {
    await().atMost(PATIENCE).pollInterval(POLL).until(() -> cluster.bound() >= pods);
  }

  private static void say(long start, String what) {
    System.out.printf(Locale.ROOT, "%.0f s: %s%n", (System.nanoTime() - start) / 1e9, what);
  }
}
