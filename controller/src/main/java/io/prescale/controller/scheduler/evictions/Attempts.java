package io.prescale.controller.scheduler.evictions;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.prescale.controller.cluster.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out writes that may fail; what fails is tried again later. Not thread-safe. */
public final class Attempts {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  private final String purpose;
  private final Retries retries = new Retries(Duration.ofSeconds(1), Duration.ofMinutes(1));

  /**
   * Nothing was tried yet.
   *
   * @param purpose of the writes, for the log
   */
  public Attempts(String purpose) {
    this.purpose = purpose;
  }

  /** What is to be tried again, and when. */
  public Retries retries() {
    return retries;
  }

  /** Whether it was due and has not failed; whatever fails, the steps after it are tried. */
  public boolean attempt(String key, Instant now, Runnable step) {
    if (!retries.isDue(key, now)) {
      return false;
    }
    try {
      step.run();
      return true;
    } catch (KubernetesClientException e) {
      LOG.warn(
          "A step of {} failed and is decided again: {}: {}", purpose, key, ApiFailure.text(e));
    } catch (RuntimeException e) {
      LOG.error("A step of {} failed and is decided again: {}", purpose, key, e);
    }
    retries.tried(key, now);
    return false;
  }
}
