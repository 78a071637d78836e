package io.prescale.controller;

import static com.tngtech.archunit.lang.SimpleConditionEvent.violated;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvent;
import com.tngtech.archunit.lang.ConditionEvents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules that hold the packages below a root to their rows of the table. They see what javac
 * leaves in class files, which excludes the origin of constants.
 */
final class ArchitectureTableRules {
  private final String root;
  private final ArchitectureTable table;

  ArchitectureTableRules(String root, ArchitectureTable table) {
    this.root = root;
    this.table = table;
  }

  ArchRule packagesSeeWhatTheTableAllows() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("see what the table allows") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                var allowed = table.maySee().get(row(type));
                for (var dependency : type.getDirectDependenciesFromSelf()) {
                  seen(dependency)
                      .filter(token -> allowed != null && !allowed.contains(token))
                      .ifPresent(token -> events.add(forbidden(dependency, token)));
                }
              }
            });
  }

  private ConditionEvent forbidden(Dependency dependency, String token) {
    return violated(
        dependency,
        "%s sees `%s`, which its row does not allow: %s"
            .formatted(dependency.getOriginClass().getName(), token, dependency.getDescription()));
  }

  ArchRule packagesStandInTheTable() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("stand in the table") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (!table.maySee().containsKey(row(type))) {
                  events.add(violated(type, "No row has the package of " + type.getName()));
                }
              }
            });
  }

  ArchRule theTableAllowsWhatIsUsed() {
    return classes()
        .should(
            new ArchCondition<JavaClass>("use what the table allows") {
              private final Map<String, Set<String>> used = new HashMap<>();

              @Override
              public void check(JavaClass type, ConditionEvents events) {
                var ofPackage = used.computeIfAbsent(row(type), name -> new HashSet<>());
                type.getDirectDependenciesFromSelf()
                    .forEach(dependency -> seen(dependency).ifPresent(ofPackage::add));
              }

              @Override
              public void finish(ConditionEvents events) {
                stale(used).forEach(sentence -> events.add(violated(table, sentence)));
              }
            });
  }

  private List<String> stale(Map<String, Set<String>> used) {
    var stale = new ArrayList<String>();
    table
        .maySee()
        .forEach(
            (name, allowed) -> {
              if (!used.containsKey(name)) {
                stale.add("There is no package " + root + "." + name);
              }
              allowed.stream()
                  .filter(token -> !used.getOrDefault(name, Set.of()).contains(token))
                  .forEach(
                      token ->
                          stale.add(
                              "%s.%s may see `%s`, and does not".formatted(root, name, token)));
            });
    return stale;
  }

  /** What the table calls the target, unless its own package or every package may see it. */
  private Optional<String> seen(Dependency dependency) {
    var target = dependency.getTargetClass().getBaseComponentType().getPackageName();
    return ArchitectureTable.token(target, root)
        .filter(token -> !token.equals(row(dependency.getOriginClass())));
  }

  private String row(JavaClass type) {
    return type.getPackageName().substring(root.length() + 1);
  }
}
