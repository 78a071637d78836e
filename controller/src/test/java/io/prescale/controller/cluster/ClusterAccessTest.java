package io.prescale.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API server whose pods hang until they are released. */
@Timeout(60)
class ClusterAccessTest {
  private static final int OF_ONE_NAMESPACE = BoundedHttpClients.LIMITS.inFlight() / 2;

  @TempDir private Path folder;
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final HttpServer server;

  ClusterAccessTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
  }

  @BeforeEach
  void start() {
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/api/v1/namespaces/", this::hang);
    server.createContext("/version", exchange -> answer(exchange, "{\"major\":\"1\"}"));
    server.start();
  }

  @AfterEach
  void stop() {
    released.countDown();
    server.stop(0);
  }

  @Test
  void requestsInFlightAreBoundedAndTheRestWait() throws Exception {
    access()
        .work(
            client -> {
              try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var reads = readPods(client, "default", 300, threads::submit);
                await().until(() -> inFlight.get() == OF_ONE_NAMESPACE);
                released.countDown();
                for (var read : reads) {
                  assertThat(read.get()).isEqualTo(0);
                }
              } catch (ExecutionException e) {
                throw new IOException(e);
              }
              return true;
            });

    assertThat(most).hasValue(OF_ONE_NAMESPACE);
  }

  /** A namespace has as many places as it leaves of those that others have left. */
  @Test
  void allNamespacesTogetherHaveNoMoreThanTheClient() throws Exception {
    var taken = List.of(32, 48, 56, 60, 62, 63, 64, 64, 64, 64);
    access()
        .work(
            client -> {
              try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var reads = new ArrayList<Future<Integer>>();
                for (int i = 0; i < taken.size(); i++) {
                  int expected = taken.get(i);
                  reads.addAll(readPods(client, "team-" + i, 40, threads::submit));
                  await().until(() -> inFlight.get() == expected);
                }
                released.countDown();
                for (var read : reads) {
                  assertThat(read.get()).isEqualTo(0);
                }
              } catch (ExecutionException e) {
                throw new IOException(e);
              }
              return true;
            });

    assertThat(most).hasValue(64);
  }

  @Test
  void aClientApartIsAnsweredWhileTheOtherHangs() throws Exception {
    access()
        .work(
            client -> {
              try (var threads = Executors.newVirtualThreadPerTaskExecutor();
                  var apart = ClusterAccess.apart(client)) {
                var _ = readPods(client, "default", 100, threads::submit);
                await().until(() -> inFlight.get() == OF_ONE_NAMESPACE);

                assertThat(threads.submit(apart::getKubernetesVersion))
                    .succeedsWithin(5, TimeUnit.SECONDS);
                released.countDown();
              }
              return true;
            });
  }

  /** Submits work to threads. */
  @FunctionalInterface
  private interface Threads {
    Future<Integer> submit(java.util.concurrent.Callable<Integer> work);
  }

  private static List<Future<Integer>> readPods(
      KubernetesClient client, String namespace, int times, Threads threads) {
    var reads = new ArrayList<Future<Integer>>();
    for (int i = 0; i < times; i++) {
      reads.add(
          threads.submit(() -> client.pods().inNamespace(namespace).list().getItems().size()));
    }
    return reads;
  }

  private void hang(HttpExchange exchange) throws IOException {
    most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    inFlight.decrementAndGet();
    answer(exchange, "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[]}");
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length());
      exchange.getResponseBody().write(body.getBytes(UTF_8));
    }
  }

  private ClusterAccess access() throws IOException {
    var file = Kubeconfig.in(folder, "http://127.0.0.1:" + server.getAddress().getPort());
    return new ClusterAccess(Optional.of(file), Optional.empty());
  }
}
