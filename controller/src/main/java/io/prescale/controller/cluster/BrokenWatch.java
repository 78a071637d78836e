package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done when an informer's watch breaks off. */
public final class BrokenWatch {
  private static final Logger LOG = LoggerFactory.getLogger(BrokenWatch.class);

  private BrokenWatch() {}

  /** Says so, and lets the informer begin again. */
  public static ExceptionHandler retried(String what) {
    return (_, e) -> {
      LOG.warn("Watching {} broke off and begins again: {}", what, e.getMessage());
      return true;
    };
  }
}
