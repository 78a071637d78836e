package io.prescale.controller.demand.prometheus;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;

/** Credentials for a server. {@code toString} does not show the secret. */
public sealed interface Credentials
    permits Credentials.None, Credentials.Bearer, Credentials.Basic, ClientCredentials {

  /**
   * The value of the header {@code Authorization}, as far as it is known without asking; empty if
   * none is sent.
   */
  Optional<String> authorization();

  /** No credentials: the server needs none, or uses a custom header or a client certificate. */
  record None() implements Credentials {
    @Override
    public Optional<String> authorization() {
      return Optional.empty();
    }
  }

  /** A bearer token (RFC 6750). */
  record Bearer(String token) implements Credentials {
    public Bearer {
      if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        throw new IllegalArgumentException(
            "The bearer token is empty, or contains a space or another invalid character.");
      }
    }

    @Override
    public Optional<String> authorization() {
      return Optional.of("Bearer " + token);
    }

    @Override
    public String toString() {
      return "Bearer[token=…]";
    }
  }

  /** User name and password (RFC 7617). */
  record Basic(String user, String password) implements Credentials {
    public Basic {
      if (user.isEmpty() || user.contains(":")) {
        throw new IllegalArgumentException("The user name is empty or contains a colon.");
      }
    }

    @Override
    public Optional<String> authorization() {
      var pair = (user + ':' + password).getBytes(UTF_8);
      return Optional.of("Basic " + Base64.getEncoder().encodeToString(pair));
    }

    @Override
    public String toString() {
      return "Basic[user=" + user + ", password=…]";
    }
  }
}
