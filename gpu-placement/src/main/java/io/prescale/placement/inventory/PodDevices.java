package io.prescale.placement.inventory;

import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a pod's containers in HAMi's text form: {@code uuid,type,MiB,cores:} for each
 * device, {@code ;} after each container, also after one that has none. Init containers come first.
 *
 * @param containers in the order of the pod
 */
public record PodDevices(List<List<DeviceUse>> containers) {
  private static final int FIELDS = 4;

  public PodDevices {
    containers = containers.stream().map(List::copyOf).toList();
  }

  /** The result of reading a text. */
  public sealed interface Reading {
    /** The text is well-formed. */
    record Devices(PodDevices devices) implements Reading {}

    /** The text is malformed, with a sentence why. */
    record Malformed(String sentence) implements Reading {}
  }

  /** The text of an annotation. */
  public String encode() {
    var text = new StringBuilder();
    for (var devices : containers) {
      for (var device : devices) {
        text.append(device.uuid()).append(',').append(device.type()).append(',');
        text.append(device.memoryMib()).append(',').append(device.cores()).append(':');
      }
      text.append(';');
    }
    return text.toString();
  }

  /** Reads the text, HAMi's or Volcano's, which has no {@code ;} at its end. */
  public static Reading decode(String text) {
    try {
      Text.refuseLong(text);
      var containers = new ArrayList<List<DeviceUse>>();
      var parts = (text.endsWith(";") ? text.substring(0, text.length() - 1) : text).split(";", -1);
      for (var part : parts) {
        containers.add(container(part));
      }
      return new Reading.Devices(new PodDevices(containers));
    } catch (MalformedEntryException e) {
      return new Reading.Malformed(e.sentence());
    }
  }

  private static List<DeviceUse> container(String text) throws MalformedEntryException {
    var devices = new ArrayList<DeviceUse>();
    for (var part : text.split(":", -1)) {
      if (!part.isEmpty()) {
        devices.add(device(part));
      }
    }
    return devices;
  }

  private static DeviceUse device(String text) throws MalformedEntryException {
    var fields = text.split(",", -1);
    if (fields.length < FIELDS || fields[0].isEmpty() || fields[1].isEmpty()) {
      throw new MalformedEntryException(
          "%s is not a device; write uuid,type,MiB,cores".formatted(Text.quoted(text)));
    }
    return new DeviceUse(fields[0], fields[1], amount(fields[2]), amount(fields[3]));
  }

  private static int amount(String text) throws MalformedEntryException {
    try {
      int amount = Integer.parseInt(text);
      if (amount >= 0) {
        return amount;
      }
    } catch (NumberFormatException _) {
      // Refused below.
    }
    throw new MalformedEntryException(
        "%s is not an amount; give a whole number from 0".formatted(Text.quoted(text)));
  }
}
