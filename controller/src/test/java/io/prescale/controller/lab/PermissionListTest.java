package io.prescale.controller.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PermissionListTest {
  private static final Class<?> RARE = RareRightsLabIT.class;

  @Test
  void theTemplatesOfTheChartGrantWhatIsListedAndNothingElse() throws IOException {
    assertThat(ChartRoles.permissions())
        .as("add the test that uses it, and the line")
        .containsExactlyInAnyOrderElementsOf(PermissionList.read().keySet())
        .hasSize(191);
  }

  @Test
  void everyLineNamesATestOnARealControlPlaneAndIsInOrder() throws ClassNotFoundException {
    assertThat(PermissionList.lines()).isSorted().doesNotHaveDuplicates();
    for (var test : Set.copyOf(PermissionList.read().values())) {
      assertThat(test).endsWith("LabIT");
      assertThat(Class.forName("io.prescale.controller.lab." + test)).isNotNull();
    }
  }

  @Test
  void aClassThatPassedMustHaveUsedWhatIsListedForIt() {
    var finalizers = "prescale-workloads: update predictivehpas/finalizers.autoscaling.prescale.io";
    var others = new TreeSet<>(PermissionList.of(RARE));
    others.remove(finalizers);

    assertThat(PermissionUse.unused(RARE, passed(RARE), PermissionList.of(RARE))).isEmpty();
    assertThat(PermissionUse.unused(RARE, passed(RARE), others)).containsExactly(finalizers);
  }

  @Test
  void testsThatAreLongNeedNotRun() {
    var passed = passed(BookingLabIT.class);
    passed.keySet().removeIf(it -> it.isAnnotationPresent(Tag.class));

    assertThat(passed).hasSize(2);
    assertThat(PermissionUse.unused(BookingLabIT.class, passed, Set.of()))
        .containsExactly(
            "prescale-scheduler: get jobs.batch", "prescale-scheduler: patch jobs.batch");
  }

  @Test
  void aClassOfWhichATestFailedOrDidNotRunNeedNotHaveUsedAnything() {
    var failed = passed(RARE);
    var one = failed.keySet().iterator().next();
    failed.put(one, false);
    assertThat(PermissionUse.unused(RARE, failed, Set.of())).isEmpty();

    failed.remove(one);
    assertThat(failed).hasSize(1);
    assertThat(PermissionUse.unused(RARE, failed, Set.of())).isEmpty();
    assertThat(PermissionUse.unused(RARE, Map.of(), Set.of())).isEmpty();
  }

  private static Map<Method, Boolean> passed(Class<?> test) {
    var passed = new HashMap<Method, Boolean>();
    for (var method : test.getDeclaredMethods()) {
      if (method.isAnnotationPresent(Test.class)) {
        passed.put(method, true);
      }
    }
    return passed;
  }
}
