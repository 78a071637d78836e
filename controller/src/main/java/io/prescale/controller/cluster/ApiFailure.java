package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Interprets failures of requests to the API server. */
public final class ApiFailure {
  private static final int TOO_MANY_REQUESTS = 429;

  private ApiFailure() {}

  /** The server's own message, or the reason why it could not be reached. */
  public static String text(KubernetesClientException failure) {
    var status = failure.getStatus();
    if (status != null && status.getMessage() != null && !status.getMessage().isBlank()) {
      return status.getMessage();
    }
    return reason(failure);
  }

  /** Why a server could not be reached, by the innermost cause. */
  public static String reason(Throwable failure) {
    return switch (innermost(failure)) {
      case UnresolvedAddressException _, UnknownHostException _ -> "unknown host name";
      case HttpTimeoutException _ -> "no answer in time";
      case ClosedChannelException _ ->
          isRefused(failure) ? "connection refused" : "connection closed";
      case Throwable cause ->
          Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    };
  }

  /** The outermost failed request among the causes of a failure. */
  static Optional<KubernetesClientException> within(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException request) {
        return Optional.of(request);
      }
    }
    return Optional.empty();
  }

  private static boolean isRefused(@Nullable Throwable failure) {
    return failure != null
        && (failure instanceof ConnectException || isRefused(failure.getCause()));
  }

  static Throwable innermost(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Whether no server answered, so that its address is what to look at. */
  public static boolean isUnanswered(KubernetesClientException failure) {
    return failure.getCode() <= 0;
  }

  /** Whether repeating the same request is useless until its cause is removed. */
  public static boolean isLasting(KubernetesClientException failure) {
    int code = failure.getCode();
    return code >= 400 && code < 500 && code != TOO_MANY_REQUESTS && !isConflict(failure);
  }

  /** Whether the object has changed meanwhile, or another writer owns the field. */
  public static boolean isConflict(KubernetesClientException failure) {
    return failure.getCode() == HttpURLConnection.HTTP_CONFLICT;
  }
}
