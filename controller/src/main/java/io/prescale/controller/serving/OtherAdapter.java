package io.prescale.controller.serving;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.prescale.adapter.api.ApiRequest;
import io.prescale.adapter.api.ApiResponse;
import io.prescale.adapter.api.Upstream;
import io.prescale.adapter.api.UpstreamException;
import io.prescale.adapter.identity.User;
import io.prescale.controller.cluster.ApiFailure;
import io.prescale.controller.cluster.ClusterAccess;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The adapter behind Prescale. It is asked by its Service's name, over TLS by the authorities that
 * its APIService had, by Prescale's own credentials in the name of the caller (user impersonation),
 * so that it authorizes the caller itself. Answers are handed on as they come, no faster than they
 * are read. Thread-safe.
 */
final class OtherAdapter implements Upstream, AutoCloseable {
  /** How long its discovery may be. */
  private static final int MOST_BYTES = 1 << 20;

  private static final String RESOURCES = "/apis/external.metrics.k8s.io/v1beta1";

  /** Of the connection, or written by our own server. */
  private static final Set<String> NOT_PASSED_ON =
      Set.of(
          ":status",
          "audit-id",
          "connection",
          "content-length",
          "date",
          "keep-alive",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /** Says which credential was used, not who used it; to impersonate it needs a right more. */
  private static final String OF_THE_CREDENTIAL = "authentication.kubernetes.io/";

  private final KubernetesClient cluster;
  private final Function<FormerOwner, String> host;
  private final boolean alsoUnverified;
  private final Duration patience;
  private volatile @Nullable Open open;
  private volatile List<String> resources = List.of();

  private record Open(FormerOwner owner, String url, KubernetesClient client) {}

  /**
   * No adapter yet.
   *
   * @param cluster whose credentials are shown
   * @param host by which an adapter is reached, and which is in its certificate
   * @param alsoUnverified whether to trust an adapter whose certificate cannot be verified
   * @param patience how long an answer may take, from the request to its end
   */
  OtherAdapter(
      KubernetesClient cluster,
      Function<FormerOwner, String> host,
      boolean alsoUnverified,
      Duration patience) {
    this.cluster = cluster;
    this.host = host;
    this.alsoUnverified = alsoUnverified;
    this.patience = patience;
  }

  /** Passes requests on to this adapter from now on. */
  synchronized void use(FormerOwner owner) {
    var before = open;
    if (before != null && before.owner().equals(owner)) {
      return;
    }
    var url = "https://%s:%d".formatted(host.apply(owner), owner.port());
    var authorities = Optional.ofNullable(owner.caBundle());
    open =
        new Open(
            owner, url, ClusterAccess.elsewhere(cluster, url, authorities, owner.isVerified()));
    if (before != null) { // answers that still come are read to their end
      afterPatience(() -> before.client().close());
    }
  }

  /**
   * Why requests cannot be passed on to the adapter that is used; empty when they can. Reads its
   * discovery.
   */
  Optional<String> fault() {
    try {
      var answer = ask("GET", RESOURCES, Map.of("Accept", List.of("application/json")));
      try (var body = answer.body()) {
        if (answer.code() != 200) {
          return Optional.of("its discovery answers %d to Prescale".formatted(answer.code()));
        }
        var discovery = body.readNBytes(MOST_BYTES + 1);
        if (discovery.length > MOST_BYTES) {
          return Optional.of("its discovery is longer than %d bytes".formatted(MOST_BYTES));
        }
        readResources(discovery);
        return Optional.empty();
      }
    } catch (UpstreamException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Optional.of("its discovery breaks off: " + e.getMessage());
    }
  }

  @Override
  public ApiResponse answer(ApiRequest request, User caller) throws UpstreamException {
    var headers = new LinkedHashMap<String, List<String>>();
    var accept = request.credentials().header("accept");
    headers.put("Accept", accept.isEmpty() ? List.of("application/json") : accept);
    headers.putAll(inTheNameOf(caller));
    var query = request.rawQuery().isEmpty() ? "" : "?" + request.rawQuery();
    var answer = ask(request.method(), request.rawPath() + query, headers);
    var passedOn = new LinkedHashMap<String, String>();
    answer
        .headers()
        .forEach(
            (name, values) -> {
              if (!NOT_PASSED_ON.contains(name.toLowerCase(Locale.ROOT))) {
                passedOn.put(name, String.join(", ", values));
              }
            });
    return ApiResponse.passingOn(answer.code(), passedOn, answer.body());
  }

  /** Groups that every API server adds to a service account need no right to impersonate. */
  private static Map<String, List<String>> inTheNameOf(User caller) {
    var headers = new LinkedHashMap<String, List<String>>();
    headers.put("Impersonate-User", List.of(caller.name()));
    var groups =
        caller.groups().stream()
            .filter(group -> !group.equals("system:authenticated"))
            .filter(
                group ->
                    !caller.name().startsWith("system:serviceaccount:")
                        || !group.startsWith("system:serviceaccounts"))
            .toList();
    if (!groups.isEmpty()) {
      headers.put("Impersonate-Group", groups);
    }
    caller
        .extra()
        .forEach(
            (key, values) -> {
              if (!key.startsWith(OF_THE_CREDENTIAL)) {
                headers.put("Impersonate-Extra-" + key.replace("/", "%2f"), values);
              }
            });
    return headers;
  }

  @Override
  public List<String> resources() {
    return resources;
  }

  private void readResources(byte[] discovery) {
    try {
      var names = new ArrayList<String>();
      new ObjectMapper()
          .readTree(discovery)
          .path("resources")
          .forEach(it -> names.add(it.path("name").asText()));
      names.removeIf(String::isBlank);
      resources = List.copyOf(names);
    } catch (IOException _) {
      // no JSON: what was known stands
    }
  }

  private HttpResponse<InputStream> ask(
      String method, String target, Map<String, List<String>> headers) throws UpstreamException {
    var other = open;
    if (other == null) {
      throw new UpstreamException("No other adapter is known that serves this metric.");
    }
    if (!other.owner().isVerified() && !alsoUnverified) {
      throw new UpstreamException(
          "The certificate of %s cannot be verified: its APIService has insecureSkipTLSVerify. Give the APIService a caBundle, or accept it with --pass-through=unverified."
              .formatted(other.owner()));
    }
    var request =
        other
            .client()
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(other.url() + target)
            .method(method, null, null)
            .timeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    headers.forEach((name, values) -> values.forEach(value -> request.header(name, value)));
    var answer = other.client().getHttpClient().sendAsync(request.build(), InputStream.class);
    afterPatience(() -> end(answer));
    try {
      return awaited(other.owner(), answer);
    } catch (UpstreamException e) {
      end(answer);
      throw e;
    }
  }

  private void afterPatience(Runnable action) {
    CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS).execute(action);
  }

  /** Ends an answer that may not be complete: a read of the rest then fails. */
  private static void end(CompletableFuture<HttpResponse<InputStream>> answer) {
    answer.cancel(true);
    var _ = answer.thenAccept(it -> closed(it.body()));
  }

  private static void closed(InputStream body) {
    try {
      body.close();
    } catch (IOException _) {
      // it was not complete, and is not read any more
    }
  }

  private HttpResponse<InputStream> awaited(
      FormerOwner owner, Future<HttpResponse<InputStream>> answer) throws UpstreamException {
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new UpstreamException("Prescale stops.");
    } catch (TimeoutException | CancellationException _) { // whichever ends it first
      throw new UpstreamException(
          "%s, which serves this metric, did not answer within %d s."
              .formatted(owner, patience.toSeconds()));
    } catch (ExecutionException | CompletionException e) {
      throw new UpstreamException(
          "%s, which serves this metric, did not answer: %s"
              .formatted(owner, ApiFailure.reason(e)));
    }
  }

  @Override
  public synchronized void close() {
    var last = open;
    open = null;
    if (last != null) {
      last.client().close();
    }
  }
}
