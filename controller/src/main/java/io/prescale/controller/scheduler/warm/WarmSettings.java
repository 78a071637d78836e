package io.prescale.controller.scheduler.warm;

import java.time.Duration;
import java.util.List;

/**
 * How images are pulled ahead.
 *
 * @param isOn whether they are
 * @param image what the pod runs that pulls; one that every namespace may pull
 * @param command of that image that ends at once
 * @param atOnce how many pods pull at a time, in all
 * @param ahead how long before the first replica on a node it may begin
 * @param patience after which a pod that still pulls is given up
 */
public record WarmSettings(
    boolean isOn,
    String image,
    List<String> command,
    int atOnce,
    Duration ahead,
    Duration patience) {
  /** Of ahead and patience: what the scheduler looks ahead. */
  public static final Duration LONGEST = Duration.ofHours(1);

  /** Nothing is pulled. */
  public static final WarmSettings OFF =
      new WarmSettings(false, "", List.of(), 4, Duration.ofMinutes(30), Duration.ofMinutes(30));

  public WarmSettings {
    command = List.copyOf(command);
    if (isOn && (image.isBlank() || command.isEmpty())) {
      throw new IllegalArgumentException(
          "warm is On without an image and a command of it that ends at once; give both");
    }
    if (atOnce < 1 || ahead.isNegative() || ahead.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "%d pods at once, %s ahead; give 1 or more, and at most an hour"
              .formatted(atOnce, ahead));
    }
    if (patience.compareTo(Duration.ofMinutes(1)) < 0 || patience.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "a patience of %s; give a minute to an hour".formatted(patience));
    }
  }
}
