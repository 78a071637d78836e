package io.prescale.controller;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets every test wait for a state as long as a busy machine needs, unless it says otherwise. */
public final class PatientAwaits implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
