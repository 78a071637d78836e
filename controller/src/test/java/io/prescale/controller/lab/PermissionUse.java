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

  /** Adds what the class that runs has used. */
  static void add(Collection<String> permissions) {
    USED.addAll(permissions);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    USED.clear();
    PASSED.clear();
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
