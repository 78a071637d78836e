package io.prescale.controller.lab;

import io.prescale.controller.Checkout;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * Fails a class of laboratory tests whose laboratories have not used what the list says that it
 * uses, and writes what they have used. Test classes run one after another in their process.
 */
public final class PermissionUse implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  private static final Path FOLDER = Checkout.root().resolve("controller/target/lab/permissions");
  private static final Set<String> USED = new TreeSet<>();
  private static final Map<Method, Boolean> PASSED = new HashMap<>();

  /** What the API server refuses to Prescale's accounts although a role permits it, by test. */
  private static final Map<Class<?>, List<String>> PROVOKED =
      Map.of(
          DeletionCostLabIT.class,
          List.of("prescale: patch pods kept"),
          RareRightsLabIT.class,
          List.of(
              "prescale: create horizontalpodautoscalers.autoscaling prescale-later",
              "prescale-scheduler: create pods/binding hygon-refused-0"),
          SchedulerPoliciesLabIT.class,
          List.of("prescale-scheduler: patch pods/status gated"));

  private static final Set<String> EXPECTED = new TreeSet<>();

  /** Adds what the class that runs has used. */
  static void add(Collection<String> permissions) {
    USED.addAll(permissions);
  }

  /** The rejections that the class that runs is about. */
  static List<String> provoked() {
    return List.copyOf(EXPECTED);
  }

  static List<String> provoked(Class<?> test) {
    return PROVOKED.getOrDefault(test, List.of());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    USED.clear();
    PASSED.clear();
    EXPECTED.clear();
    EXPECTED.addAll(provoked(context.getRequiredTestClass()));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    PASSED.merge(
        context.getRequiredTestMethod(),
        context.getExecutionException().isEmpty(),
        Boolean::logicalAnd);
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    var test = context.getRequiredTestClass();
    if (!USED.isEmpty()) {
      Files.createDirectories(FOLDER);
      Files.write(FOLDER.resolve(test.getSimpleName() + ".txt"), USED);
    }
    var unused = unused(test, PASSED, USED);
    if (!unused.isEmpty()) {
      throw new IllegalStateException(
          "%s has not used %s; if nothing else does, the chart must not grant it; %s says what does"
              .formatted(test.getSimpleName(), unused, PermissionList.FILE));
    }
  }

  /**
   * What a class should have used and has not; nothing unless all tests passed that each run of the
   * class has, as those that are tagged as long are not.
   */
  static List<String> unused(Class<?> test, Map<Method, Boolean> passed, Set<String> used) {
    var always =
        AnnotationSupport.findAnnotatedMethods(
                test, Testable.class, HierarchyTraversalMode.TOP_DOWN)
            .stream()
            .filter(it -> !AnnotationSupport.isAnnotated(it, Tag.class))
            .toList();
    boolean isWhole = passed.keySet().containsAll(always) && !passed.containsValue(false);
    return isWhole
        ? PermissionList.of(test).stream().filter(it -> !used.contains(it)).sorted().toList()
        : List.of();
  }
}
