package io.prescale.controller.cli;

import io.prescale.controller.api.v1alpha1.PresetName;
import io.prescale.controller.api.v1alpha1.PresetSignal;
import io.prescale.controller.cli.CompletionCommand.Shell;
import io.prescale.controller.cli.forecast.QuantileLevels;
import io.prescale.controller.cli.options.Capacity;
import io.prescale.controller.cli.options.ColdStartText;
import io.prescale.controller.cli.options.LoadFile;
import io.prescale.controller.cli.options.Moment;
import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.options.OtherLoad;
import io.prescale.controller.cli.options.Percentage;
import io.prescale.controller.cli.options.ScheduleText;
import io.prescale.controller.cli.options.Share;
import io.prescale.controller.cli.options.ShareOfTime;
import io.prescale.controller.cli.options.WindowText;
import io.prescale.controller.cli.place.OvercommitText;
import io.prescale.controller.cli.place.PlacePolicy;
import io.prescale.controller.cli.plan.Level;
import io.prescale.controller.cli.preset.PresetText;
import io.prescale.controller.cli.replay.PolicyChoice;
import io.prescale.controller.cli.terminal.DurationText;
import io.prescale.controller.cli.terminal.OutputFile;
import io.prescale.controller.input.Excerpt;
import io.prescale.controller.simulation.replay.ColdStart;
import io.prescale.placement.overcommit.OvercommitRule;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Converts the text of options to typed values, and reports mistakes as sentences. */
public final class OptionTypes {
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");

  private OptionTypes() {}

  /** Registers the converters with a command line and with the subcommands that it already has. */
  public static void register(CommandLine commandLine) {
    for (var type : List.of(int.class, Integer.class)) {
      register(commandLine, type, text -> whole(text, Integer.MAX_VALUE, Integer::valueOf));
    }
    register(commandLine, long.class, text -> whole(text, Long.MAX_VALUE, Long::valueOf));
    for (var type : List.of(double.class, Double.class)) {
      register(commandLine, type, OptionTypes::number);
    }
    register(commandLine, Capacity.class, Capacity::parse);
    register(commandLine, ColdStart.class, ColdStartText::parse);
    register(commandLine, Duration.class, DurationText::parse);
    register(commandLine, QuantileLevels.class, QuantileLevels::parse);
    register(commandLine, Level.class, Level::parse);
    register(commandLine, LocalDate.class, OptionTypes::day);
    register(commandLine, LoadFile.class, text -> new LoadFile(path(text)));
    register(commandLine, Moment.class, Moment::parse);
    register(commandLine, OutputFile.class, text -> new OutputFile(path(text)));
    register(commandLine, OvercommitRule.class, OvercommitText::parse);
    register(commandLine, Path.class, OptionTypes::path);
    register(commandLine, Percentage.class, Percentage::parse);
    register(commandLine, PlacePolicy.class, PlacePolicy::parse);
    register(commandLine, PolicyChoice.class, PolicyChoice::parse);
    register(commandLine, PresetName.class, PresetText::name);
    register(commandLine, PresetSignal.class, PresetText::signal);
    register(commandLine, Share.class, Share::parse);
    register(commandLine, ShareOfTime.class, ShareOfTime::parse);
    register(commandLine, Shell.class, text -> Names.find("shell", text, Shell.class));
    register(commandLine, URI.class, OptionTypes::url);
    register(commandLine, WindowText.class, WindowText::parse);
    register(commandLine, OtherLoad.class, OtherLoad::parse);
    register(commandLine, ScheduleText.class, ScheduleText::parse);
    register(commandLine, ZoneId.class, OptionTypes::zone);
  }

  private static <T> void register(
      CommandLine commandLine, Class<T> type, Function<String, T> parse) {
    commandLine.registerConverter(
        type,
        text -> {
          try {
            return parse.apply(text);
          } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
          }
        });
  }

  private static <T> T whole(String text, long most, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException _) {
      var wrong =
          !WHOLE_NUMBER.matcher(text).matches()
              ? "is not a whole number"
              : text.startsWith("-")
                  ? "is too small; write at least %,d".formatted(-most - 1)
                  : "is too large; write at most %,d".formatted(most);
      throw new IllegalArgumentException("%s %s".formatted(Excerpt.quoted(text), wrong));
    }
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(Excerpt.quoted(text) + " is not a number");
    }
  }

  /**
   * Refuses an empty path, which Java takes for the current directory; it usually comes from an
   * unset variable.
   */
  private static Path path(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("the file name is empty; is a variable not set?");
    }
    return Path.of(text);
  }

  private static URI url(String text) {
    try {
      return URI.create(text);
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException("not a URL; write one such as http://localhost:9090");
    }
  }

  private static LocalDate day(String text) {
    try {
      return LocalDate.parse(text);
    } catch (DateTimeException _) {
      throw new IllegalArgumentException(
          Excerpt.quoted(text) + " is no day; write one such as 2026-12-25");
    }
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException _) {
      throw new IllegalArgumentException(
          Excerpt.quoted(text)
              + " is no time zone; write one such as Europe/Berlin, +02:00 or UTC");
    }
  }
}
