package io.prescale.controller.cli.cluster;

import io.prescale.adapter.server.Listener;
import io.prescale.controller.cli.options.UsageException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the extender says that it takes cards back. */
final class ReclaimOptions {
  @Option(
      names = "--reclaim-webhook",
      paramLabel = "URL",
      description =
          "Where notices of taking back are posted as JSON, besides the pods' annotations and"
              + " events (default: nowhere).")
  @Nullable String webhook;

  Optional<URI> webhook() {
    if (webhook == null) {
      return Optional.empty();
    }
    try {
      var address = new URI(webhook);
      boolean isPort = address.getPort() != 0 && address.getPort() <= Listener.HIGHEST_PORT;
      if (address.getHost() != null && isPort && webhook.matches("https?://.*")) {
        return Optional.of(address);
      }
    } catch (URISyntaxException _) {
      // Its message would repeat what may be secret.
    }
    throw new UsageException("--reclaim-webhook is no URL that begins with https:// or http://.");
  }
}
