package io.prescale.controller.cli.cluster;

import io.prescale.controller.cli.options.Names;
import io.prescale.controller.cli.options.Needs;
import io.prescale.controller.cli.options.UsageException;
import io.prescale.controller.scheduler.warm.WarmSettings;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** Whether and how the extender pulls images ahead to the nodes of bookings. */
@Needs("--warm")
final class WarmOptions {
  @Option(
      names = "--warm",
      paramLabel = "MODE",
      description =
          "Off or On: whether the images of bookings are pulled ahead to the nodes where their"
              + " replicas will be (default: ${DEFAULT-VALUE}).")
  String mode = "Off";

  @Option(
      names = "--warm-image",
      paramLabel = "IMAGE",
      description =
          "What the pods run that pull: an image that every namespace may pull without a secret;"
              + " needed with On.")
  String image = "";

  @Option(
      names = "--warm-command",
      paramLabel = "WORD,...",
      split = ",",
      hideParamSyntax = true,
      description = "A command of that image that ends at once (default: ${DEFAULT-VALUE}).",
      defaultValue = "/opt/java/bin/java,-version")
  List<String> command = List.of("/opt/java/bin/java", "-version");

  @Option(
      names = "--warm-at-once",
      paramLabel = "N",
      description = "How many pods pull at a time, one on a node (default: ${DEFAULT-VALUE}).")
  int atOnce = 4;

  @Option(
      names = "--warm-ahead",
      paramLabel = "DURATION",
      description =
          "How long before the first replica on a node it may begin, at most an hour (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "30m")
  Duration ahead = Duration.ofMinutes(30);

  @Option(
      names = "--warm-patience",
      paramLabel = "DURATION",
      description =
          "After which a pod that still pulls is given up, 1m to 1h (default: ${DEFAULT-VALUE}).",
      defaultValue = "30m")
  Duration patience = Duration.ofMinutes(30);

  WarmSettings settings() {
    boolean isOn =
        UsageException.unlessValid(
            "--warm",
            () -> Names.find("mode", mode, List.of(false, true), it -> it ? "on" : "off"));
    if (isOn && image.isBlank()) {
      throw new UsageException("--warm=On needs --warm-image; add it.");
    }
    UsageException.requireAtLeast("--warm-at-once", atOnce, 1);
    UsageException.requireWithin("--warm-ahead", ahead, Duration.ZERO, WarmSettings.LONGEST);
    UsageException.requireWithin(
        "--warm-patience", patience, Duration.ofMinutes(1), WarmSettings.LONGEST);
    return UsageException.unlessValid(
        () -> new WarmSettings(isOn, image, command, atOnce, ahead, patience));
  }
}
