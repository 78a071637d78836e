package io.prescale.controller.cli;

import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a command that are given, of which each is to have an effect.
 *
 * @param isConfigured whether an option comes from the configuration, which may hold what is only
 *     used at times
 */
record EffectiveOptions(List<OptionSpec> given, Predicate<OptionSpec> isConfigured) {

  /** Refuses an option that {@link Needs} another one. */
  void require() {
    for (var option : given) {
      var needed = needed(option);
      if (!needed.isEmpty() && !isConfigured.test(option) && !isGiven(needed)) {
        var name = option.longestName();
        throw new UsageException(
            "%s has no effect without %s; add %s, or remove %s."
                .formatted(
                    name, String.join(" or ", needed), needed.size() == 1 ? "it" : "one", name));
      }
    }
  }

  private boolean isGiven(List<String> names) {
    return given.stream().anyMatch(option -> names.contains(option.longestName()));
  }

  /** The options of the same command of which it needs one; none if it needs no other. */
  private static List<String> needed(OptionSpec option) {
    if (!(option.userObject() instanceof Field field)) {
      return List.of();
    }
    var needs =
        Optional.ofNullable(field.getAnnotation(Needs.class))
            .or(() -> Optional.ofNullable(field.getDeclaringClass().getAnnotation(Needs.class)));
    var names = needs.stream().flatMap(it -> Stream.of(it.value())).toList();
    return names.contains(option.longestName())
        ? List.of()
        : names.stream().filter(name -> option.command().findOption(name) != null).toList();
  }
}
