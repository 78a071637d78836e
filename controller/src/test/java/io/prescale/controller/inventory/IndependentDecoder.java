package io.prescale.controller.inventory;

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

  private IndependentDecoder() {}

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
