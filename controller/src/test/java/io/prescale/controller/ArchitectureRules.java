package io.prescale.controller;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/**
 * The architecture as rules over the packages below one root, so that the same rules can be run
 * over the program and over fixtures that break them.
 */
final class ArchitectureRules {
  private static final Set<String> BANNED_PACKAGE_NAMES =
      Set.of("util", "utils", "common", "impl", "helper", "helpers", "base", "misc");
  private static final List<String> BANNED_TYPE_SUFFIXES =
      List.of("Manager", "Helper", "Util", "Utils", "Base", "Impl");
  private static final Map<String, Set<String>> AMBIENT_CALLS =
      Map.ofEntries(
          Map.entry("java.lang.System", Set.of("currentTimeMillis", "nanoTime")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of("current")),
          Map.entry("java.util.random.RandomGenerator", Set.of("getDefault", "of")),
          Map.entry("java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system")),
          Map.entry("java.time.ZoneId", Set.of("systemDefault")),
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDate", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.OffsetDateTime", Set.of("now")),
          Map.entry("java.time.ZonedDateTime", Set.of("now")));
  private static final Set<String> SEEDED_BY_THEMSELVES =
      Set.of("java.util.Random", "java.util.SplittableRandom", "java.security.SecureRandom");

  private final String root;
  private final ArchitectureTableRules rows;

  ArchitectureRules(String root, ArchitectureTable table) {
    this.root = root;
    this.rows = new ArchitectureTableRules(root, table);
  }

  /** Every rule by a short name, in the order in which a reader would ask. */
  SequencedMap<String, ArchRule> all() {
    var rules = new LinkedHashMap<String, ArchRule>();
    rules.put("a package sees only what the table allows", rows.packagesSeeWhatTheTableAllows());
    rules.put("every package stands in the table", rows.packagesStandInTheTable());
    rules.put("the table allows nothing that is not used", rows.theTableAllowsWhatIsUsed());
    rules.put(
        "packages form no cycle", slices().matching(root + ".(**)").should().beFreeOfCycles());
    rules.put("packages are named for what they hold", packageNames());
    rules.put("types are named for what they are", typeNames());
    rules.put("time and randomness are arguments", noAmbientInput());
    rules.put("no static state changes", noMutableStatics());
    rules.put("every package is null-marked", nullMarked());
    rules.replaceAll((name, rule) -> rule.as(name).allowEmptyShould(true));
    return Collections.unmodifiableSequencedMap(rules);
  }

  private ArchRule packageNames() {
    return noClasses()
        .should()
        .haveNameMatching(".*\\.(" + String.join("|", BANNED_PACKAGE_NAMES) + ")\\..*");
  }

  private ArchRule typeNames() {
    var banned =
        describe(
            "end with one of " + BANNED_TYPE_SUFFIXES,
            (JavaClass type) ->
                BANNED_TYPE_SUFFIXES.stream().anyMatch(type.getSimpleName()::endsWith));
    return noClasses().should(be(banned));
  }

  private ArchRule noAmbientInput() {
    return noClasses()
        .that()
        .resideOutsideOfPackage(below("controller.cli"))
        .and()
        .doNotHaveFullyQualifiedName(root + ".controller.Application")
        .should()
        .callCodeUnitWhere(isAmbient());
  }

  private static DescribedPredicate<JavaCall<?>> isAmbient() {
    return describe(
        "its target reads a clock, a default or a seed of the machine",
        call -> isAmbient(call.getTarget()));
  }

  private static boolean isAmbient(CodeUnitCallTarget target) {
    var owner = target.getOwner().getName();
    var parameters = target.getRawParameterTypes();
    if (target.getName().equals("<init>")) {
      return parameters.isEmpty() && SEEDED_BY_THEMSELVES.contains(owner);
    }
    return AMBIENT_CALLS.getOrDefault(owner, Set.of()).contains(target.getName())
        && parameters.stream().noneMatch(type -> type.isEquivalentTo(Clock.class));
  }

  private static ArchRule noMutableStatics() {
    var holders =
        describe(
            "holders of mutable state",
            (JavaClass type) ->
                type.getPackageName().equals("java.util.concurrent.atomic")
                    || type.isAssignableTo("java.util.concurrent.ConcurrentMap")
                    || type.isAssignableTo(ThreadLocal.class)
                    || type.isAssignableTo(ArrayList.class));
    return fields().that().areStatic().should().beFinal().andShould().notHaveRawType(holders);
  }

  private static ArchRule nullMarked() {
    var inNullMarkedPackage =
        describe(
            "reside in a package annotated with @NullMarked",
            (JavaClass type) ->
                CanBeAnnotated.Predicates.annotatedWith(NullMarked.class).test(type.getPackage()));
    return classes().should(be(inNullMarkedPackage));
  }

  private String below(String packageName) {
    return root + "." + packageName + "..";
  }
}
