package io.prescale.controller.web.live;

import io.prescale.controller.web.GpuPage;
import io.prescale.controller.web.GpusView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads the cards from the status port of a {@code prescale extender}. Of several replicas behind
 * one name, the answer of the one that decided last is used, because its scheduler asks only one of
 * them. Thread-safe.
 */
public final class ExtenderCards implements GpusView, AutoCloseable {
  static final int LARGEST_ANSWER = 16 * 1024 * 1024;
  private static final int MOST_REPLICAS = 5;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final URI extender;
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(PATIENCE).version(HttpClient.Version.HTTP_1_1).build();

  /**
   * Creates a reader without sending a request.
   *
   * @param extender URL of the status port, such as {@code http://prescale-scheduler-metrics:8080}
   * @throws IllegalArgumentException if that is not a plain HTTP URL
   */
  public ExtenderCards(URI extender) {
    requireAddress(extender);
    this.extender = extender;
  }

  /**
   * Requires a plain HTTP URL.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static void requireAddress(URI extender) {
    if (!"http".equals(extender.getScheme()) || extender.getHost() == null) {
      throw new IllegalArgumentException(
          "\"%s\" is not an http:// address of a host".formatted(extender));
    }
  }

  @Override
  public GpuPage gpus(Query query) throws IOException {
    var pages = new ArrayList<GpuPage>();
    var failure = new IOException("%s has no address.".formatted(extender.getHost()));
    for (URI replica : replicas()) {
      try {
        pages.add(ask(replica, query));
      } catch (IOException e) {
        failure =
            new IOException(
                "The extender at %s does not report its cards: %s.".formatted(extender, words(e)),
                e);
      }
    }
    var last = failure;
    return pages.stream().max(Comparator.comparing(ExtenderCards::decided)).orElseThrow(() -> last);
  }

  private static String words(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static Instant decided(GpuPage page) {
    return page.decisions().isEmpty() ? Instant.MIN : page.decisions().getFirst().at();
  }

  private List<URI> replicas() throws IOException {
    var replicas = new ArrayList<URI>();
    for (var address : InetAddress.getAllByName(extender.getHost())) {
      if (replicas.size() < MOST_REPLICAS) {
        replicas.add(at(address.getHostAddress()));
      }
    }
    return replicas;
  }

  private URI at(String address) throws IOException {
    try {
      return new URI("http", null, address, extender.getPort(), GpuPage.PATH, null, null);
    } catch (URISyntaxException e) {
      throw new IOException("%s is not an address".formatted(address), e);
    }
  }

  private GpuPage ask(URI replica, Query query) throws IOException {
    var request = HttpRequest.newBuilder(URI.create(replica + "?" + query.parameters())).build();
    var body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), LARGEST_ANSWER);
    // A request's own timeout would cover only the headers.
    var pending = client.sendAsync(request, body);
    try {
      return read(pending.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException _) {
      throw new IOException("it has not answered within %d s".formatted(PATIENCE.toSeconds()));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new IOException("its answer is incomplete");
    } finally {
      pending.cancel(true);
    }
  }

  private static GpuPage read(HttpResponse<byte[]> answer) throws IOException {
    if (answer.statusCode() != 200) {
      throw new IOException("it answers with status %d".formatted(answer.statusCode()));
    }
    return GpuPage.read(answer.body());
  }

  @Override
  public void close() {
    client.close();
  }
}
