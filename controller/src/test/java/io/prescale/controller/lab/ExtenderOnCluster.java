package io.prescale.controller.lab;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An {@link ExtenderCluster} for the tests of a class, and a new extender for each of them. */
final class ExtenderOnCluster
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback {
  private final int nodesOfAVendor;
  private final String[] options;
  private @Nullable ExtenderCluster cluster;
  private @Nullable Replica running;

  /**
   * @param options of the laboratory besides
   */
  ExtenderOnCluster(int nodesOfAVendor, String... options) {
    this.nodesOfAVendor = nodesOfAVendor;
    this.options = options;
  }

  ExtenderCluster cluster() {
    return Objects.requireNonNull(cluster);
  }

  /** The extender that the scheduler asks. */
  Replica running() {
    return Objects.requireNonNull(running);
  }

  /** Ends the one that runs, if it does, and starts another in its place. */
  void startAgain(String name, String... options) throws IOException, InterruptedException {
    running().close();
    running = cluster().extender().start(name, options);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException, InterruptedException {
    cluster = ExtenderCluster.start(nodesOfAVendor, options);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws IOException, InterruptedException {
    var test =
        context.getRequiredTestClass().getSimpleName()
            + "-"
            + context.getRequiredTestMethod().getName();
    running = cluster().extender().start(test);
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException, InterruptedException {
    try {
      cluster().deletePods();
    } finally {
      if (running != null) {
        running.close();
      }
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (cluster != null) {
      cluster.close();
    }
  }
}
