package io.prescale.controller.cli;

import io.micronaut.context.env.PropertiesPropertySourceLoader;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.PropertySource.PropertyConvention;
import io.micronaut.context.env.PropertySourceLoader;
import io.micronaut.context.env.PropertySourcePropertyResolver;
import io.micronaut.context.env.yaml.YamlPropertySourceLoader;
import io.prescale.controller.cli.options.UnreachableException;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.input.FileProblem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of the programs as one tree of properties, {@code prescale.PROGRAM.OPTION}, in
 * Micronaut's order: the command line, then environment variables ({@code
 * PRESCALE_PROGRAM_OPTION}), then the files that {@code MICRONAUT_CONFIG_FILES} names, of which the
 * last wins.
 */
public final class Configuration {
  private static final String FILES = "MICRONAUT_CONFIG_FILES";
  private static final Set<String> PROGRAMS = Set.of("controller", "extender", "demo");

  private final Map<String, String> environment;

  /** The property and its origin, by the option that it stands for. */
  private final Map<String, String> origins = new TreeMap<>();

  /** Properties of one origin: the environment, or a file. */
  private record Layer(String name, PropertySource source) {
    Optional<String> value(String property) {
      return new PropertySourcePropertyResolver(source).getProperty(property, String.class);
    }
  }

  /**
   * A configuration that has not been read.
   *
   * @param environment variables of the process
   */
  public Configuration(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /**
   * The arguments with the options that are configured and not among them.
   *
   * @throws UnreachableException if a file cannot be read
   * @throws UsageException if it has a property that is no option, or a property of a switch is
   *     neither true nor false
   */
  public String[] complete(CommandLine commandLine, String... arguments) {
    var given = List.of(arguments);
    boolean asksForHelp = given.contains("--help") || given.contains("-h");
    if (given.isEmpty() || asksForHelp || !PROGRAMS.contains(given.getFirst())) {
      return arguments;
    }
    var prefix = "prescale." + arguments[0] + ".";
    var program = Objects.requireNonNull(commandLine.getSubcommands().get(arguments[0]));
    var options = new TreeMap<String, OptionSpec>();
    program
        .getCommandSpec()
        .options()
        .forEach(option -> options.put(prefix + bare(option), option));
    var files = files();
    files.forEach(file -> refuseUnknown(file, prefix, options.keySet()));
    var layers = new ArrayList<Layer>(List.of(environment()));
    layers.addAll(files.reversed());
    var complete = new ArrayList<>(List.of(arguments));
    options.forEach(
        (property, option) -> {
          if (!isGiven(option, arguments)) {
            complete.addAll(1, configured(property, option, layers));
          }
        });
    return complete.toArray(String[]::new);
  }

  private static String bare(OptionSpec option) {
    return option.longestName().replaceFirst("^-+", "");
  }

  private Layer environment() {
    return new Layer(
        "the environment",
        PropertySource.of(
            "environment",
            Map.copyOf(environment),
            PropertyConvention.ENVIRONMENT_VARIABLE,
            PropertySource.Origin.of("environment")));
  }

  private List<Layer> files() {
    return Stream.of(environment.getOrDefault(FILES, "").split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(Configuration::read)
        .toList();
  }

  private static Layer read(String name) {
    if (!name.matches(".*\\.(ya?ml|properties)")) {
      throw new UsageException(
          "%s names %s; a file of properties is named *.yml, *.yaml or *.properties."
              .formatted(FILES, name));
    }
    PropertySourceLoader loader =
        name.endsWith(".properties")
            ? new PropertiesPropertySourceLoader()
            : new YamlPropertySourceLoader();
    try (var in = Files.newInputStream(Path.of(name))) {
      return new Layer(
          name, PropertySource.of(name, loader.read(name, in), PropertySource.Origin.of(name)));
    } catch (FileSystemException e) {
      throw new UnreachableException(
          "%s names %s: %s.".formatted(FILES, name, FileProblem.of(e)), e);
    } catch (IOException | RuntimeException _) {
      throw new UsageException(
          "%s names %s, which cannot be read; name a file of YAML, or of properties in *.properties."
              .formatted(FILES, name));
    }
  }

  private static void refuseUnknown(Layer file, String prefix, Set<String> known) {
    for (var property : file.source()) {
      if (property.startsWith(prefix) && !known.contains(property.replaceFirst("\\[.*", ""))) {
        throw new UsageException(
            "%s in %s is not an option; known are %s."
                .formatted(
                    property, file.name(), known.stream().collect(Collectors.joining(", "))));
      }
    }
  }

  private static boolean isGiven(OptionSpec option, String... arguments) {
    return Stream.of(option.names())
        .anyMatch(
            name ->
                Stream.of(arguments)
                    .anyMatch(given -> given.equals(name) || given.startsWith(name + "=")));
  }

  /** The option as arguments; none when no origin has its property. */
  private List<String> configured(String property, OptionSpec option, List<Layer> layers) {
    for (var layer : layers) {
      var value = layer.value(property);
      if (value.isPresent()) {
        var words = "%s in %s".formatted(property, layer.name());
        origins.put(option.longestName(), words);
        return written(option, words, value.get());
      }
    }
    return List.of();
  }

  private static List<String> written(OptionSpec option, String words, String value) {
    var name = option.longestName();
    if (option.arity().max() > 0) {
      var values = option.isMultiValue() ? value.split(",", -1) : new String[] {value};
      return Stream.of(values).map(one -> name + "=" + one.strip()).toList();
    }
    return switch (value) {
      case "true" -> List.of(name);
      case "false" -> List.of();
      default ->
          throw new UsageException("%s is \"%s\"; write true or false.".formatted(words, value));
    };
  }

  /** Whether an option comes from a property instead of the command line. */
  public boolean isConfigured(OptionSpec option) {
    return origins.containsKey(option.longestName());
  }

  /** A refusal that names the property, where an option was configured by one. */
  public String inWordsOfProperties(String refusal) {
    var words = refusal;
    for (var origin : origins.entrySet()) {
      words =
          words.replaceAll(
              "(?<![\\w-])%s(?![\\w-])".formatted(origin.getKey()),
              Matcher.quoteReplacement(origin.getValue()));
    }
    return words;
  }
}
