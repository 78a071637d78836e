package io.prescale.controller.cluster;

import io.fabric8.kubernetes.client.informers.ExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles an informer's broken watch. */
public final class BrokenWatch {
  private static final Logger LOG = LoggerFactory.getLogger(BrokenWatch.class);

  private BrokenWatch() {}

  /** Logs the failure and lets the informer retry. */
  public static ExceptionHandler retried(String what) {
    return (_, e) -> {
      LOG.warn("The watch of {} was interrupted and is retried: {}", what, e.getMessage());
      return true;
    };
  }
}
