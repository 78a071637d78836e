package io.prescale.controller.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Secrets by namespace and name, each kept for its life, so that it is read about once in it: a
 * watch would need the right to list them. A missing one, and one that is larger than credentials
 * are, is read every time. Thread-safe.
 */
final class CachedSecrets {
  /** A Secret that changes counts after this time, or once a server has refused the old one. */
  static final Duration LIFE = Duration.ofMinutes(1);

  /** With {@link #LARGEST_CHARS} of ASCII each: 32 MiB. */
  static final int MOST = 1_000;

  static final int LARGEST_CHARS = 32 << 10;

  private final KubernetesClient client;
  private final LongSupplier nanoTime;

  /** The one read longest ago comes first. */
  private final SequencedMap<Name, Cached> known = new LinkedHashMap<>();

  private record Name(String namespace, String name) {}

  private record Cached(Map<String, String> data, long readAt) {}

  /**
   * No Secrets yet.
   *
   * @param nanoTime a clock that never goes back
   */
  CachedSecrets(KubernetesClient client, LongSupplier nanoTime) {
    this.client = client;
    this.nanoTime = nanoTime;
  }

  /**
   * What a Secret holds by key, in base64; empty if there is no such Secret.
   *
   * @param key one that is needed: a Secret that was read without it is read again
   * @throws KubernetesClientException when the server cannot be reached or refuses
   */
  Optional<Map<String, String>> data(String namespace, String secret, String key) {
    var name = new Name(namespace, secret);
    long now = nanoTime.getAsLong();
    var cached = cached(name, now).filter(it -> it.containsKey(key));
    if (cached.isPresent()) {
      return cached;
    }
    var read = client.secrets().inNamespace(namespace).withName(secret).get();
    if (read == null) {
      return Optional.empty();
    }
    var data = new HashMap<String, String>();
    Objects.requireNonNullElse(read.getData(), Map.<String, @Nullable String>of())
        .forEach((it, value) -> data.put(it, Objects.requireNonNullElse(value, "")));
    keep(name, new Cached(data, now));
    return Optional.of(data);
  }

  private synchronized Optional<Map<String, String>> cached(Name name, long now) {
    known.values().removeIf(it -> now - it.readAt() >= LIFE.toNanos());
    return Optional.ofNullable(known.get(name)).map(Cached::data);
  }

  private synchronized void keep(Name name, Cached read) {
    known.remove(name);
    if (chars(read.data()) > LARGEST_CHARS) {
      return;
    }
    if (known.size() == MOST) {
      known.pollFirstEntry();
    }
    known.put(name, read);
  }

  private static int chars(Map<String, String> data) {
    return data.entrySet().stream()
        .mapToInt(it -> it.getKey().length() + it.getValue().length())
        .sum();
  }

  /** Has the Secrets of a namespace read anew, since a server refused what they hold. */
  synchronized void forget(String namespace) {
    known.keySet().removeIf(it -> it.namespace().equals(namespace));
  }
}
