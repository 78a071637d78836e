package io.prescale.placement.inventory;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Decodes what HAMi's device plugin reads from a pod, by a grammar and without any code of the
 * program: {@code (uuid,type,MiB,cores:)*;} once for each container.
 */
public final class IndependentDecoder {
  private static final Pattern DEVICE = Pattern.compile("([^,:;]+),([^,:;]+),(\\d+),(\\d+):");
  private static final Pattern WHOLE = Pattern.compile("((?:[^,:;]+,[^,:;]+,\\d+,\\d+:)*;)+");

  private static final String MIG =
      "\\{\"containerIndex\":(\\d+),\"deviceIndex\":(\\d+),\"gpuUUID\":\"([^\"]+)\","
          + "\"profile\":\"([^\"]+)\",\"placement\":\\{\"start\":(\\d+),\"size\":(\\d+)}}";
  private static final Pattern INSTANCE = Pattern.compile(MIG);
  private static final Pattern INSTANCES = Pattern.compile("\\[" + MIG + "(?:," + MIG + ")*]");

  private IndependentDecoder() {}

  /** One MIG instance of one device of one container. */
  public record Instance(
      int container, int device, String uuid, String profile, int start, int size) {}

  /** Every instance in {@code hami.io/vgpu-mig-allocations}, as a scheduler writes it. */
  public static List<Instance> decodeMig(String text) {
    if (!INSTANCES.matcher(text).matches()) {
      throw new AssertionError("not in the form of HAMi: " + text);
    }
    return INSTANCE
        .matcher(text)
        .results()
        .map(
            match ->
                new Instance(
                    Integer.parseInt(match.group(1)),
                    Integer.parseInt(match.group(2)),
                    match.group(3),
                    match.group(4),
                    Integer.parseInt(match.group(5)),
                    Integer.parseInt(match.group(6))))
        .toList();
  }

  /** One device of one container. */
  public record Device(int container, String uuid, String type, int memoryMib, int cores) {}

  /** Every device in the text; fails when the text is not wholly of the grammar. */
  public static List<Device> decode(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new AssertionError("not in the form of HAMi: " + text);
    }
    var devices = new ArrayList<Device>();
    int container = 0;
    for (int at = 0; at < text.length(); container++) {
      int end = text.indexOf(';', at);
      var matcher = DEVICE.matcher(text.substring(at, end));
      while (matcher.find()) {
        devices.add(
            new Device(
                container,
                matcher.group(1),
                matcher.group(2),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4))));
      }
      at = end + 1;
    }
    return devices;
  }
}
