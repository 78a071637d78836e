package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.scheduler.moves.DailyWindow;
import io.prescale.controller.scheduler.moves.MoveSettings;
import io.prescale.placement.notice.ReclaimPolicy;
import io.prescale.placement.notice.ReclaimPolicy.Mode;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Whether and how the extender moves pods. */
@Needs("--moves")
final class MoveOptions {
  @Option(
      names = "--moves",
      paramLabel = "MODE",
      description =
          "Off, Advise or Act: whether pods are moved off sick cards, and so that a pod finds room"
              + " or free cards are gathered; Advise only says so (default: ${DEFAULT-VALUE}).")
  String mode = "Off";

  @Option(
      names = "--moves-notice",
      paramLabel = "DURATION",
      description =
          "The longest notice of a pod that moves, and that of pods that wish for none (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "1m")
  Duration notice = Duration.ofMinutes(1);

  @Option(
      names = "--moves-per-hour",
      paramLabel = "N",
      description = "How many pods are moved within an hour (default: ${DEFAULT-VALUE}).")
  int perHour = 20;

  @Option(
      names = "--moves-interval",
      paramLabel = "DURATION",
      description =
          "Time between two looks at whether free cards could be gathered (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "10m")
  Duration interval = Duration.ofMinutes(10);

  @Option(
      names = "--moves-sick-after",
      paramLabel = "DURATION",
      description =
          "How long a card has to be sick before its pods move (default: ${DEFAULT-VALUE}).",
      defaultValue = "5m")
  Duration sickAfter = Duration.ofMinutes(5);

  @Option(
      names = "--moves-windows",
      paramLabel = "WINDOW,...",
      description =
          "When pods are moved for anything but sick cards, such as 22:00-06:00 or 22:00-06:00"
              + " Europe/Berlin (default: at any time).")
  String windows = "";

  MoveSettings settings() {
    UsageException.requireAtLeast("--moves-per-hour", perHour, 0);
    UsageException.requirePositive("--moves-interval", interval);
    var open = UsageException.unlessValid("--moves-windows", () -> DailyWindow.read(windows));
    return new MoveSettings(new ReclaimPolicy(mode(), notice, perHour), interval, sickAfter, open);
  }

  private Mode mode() {
    return UsageException.unlessValid("--moves", () -> Names.find("mode", mode, Mode.class));
  }
}
