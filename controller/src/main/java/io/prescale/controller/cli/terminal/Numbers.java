package io.prescale.controller.cli.terminal;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Numbers formatted for reading. */
public final class Numbers {
  private static final double[] ROUND = {1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10};

  private Numbers() {}

  /**
   * Four significant digits, and all digits before the decimal point: {@code 12,345}, {@code
   * 12.35}, {@code 0.001235}.
   */
  public static String brief(double value) {
    double size = Math.abs(value);
    if (!Double.isFinite(value)) {
      return "unknown";
    }
    var symbols = DecimalFormatSymbols.getInstance(Locale.ROOT);
    if (size >= 1e9 || (size > 0 && size < 1e-4)) {
      return new DecimalFormat("0.###E0", symbols).format(value);
    }
    int magnitude = size == 0 ? 0 : (int) Math.floor(Math.log10(size));
    var format = new DecimalFormat("#,##0", symbols);
    format.setMaximumFractionDigits(Math.clamp(3L - magnitude, 0, 8));
    return format.format(value);
  }

  /** The next round number, for the end of an axis; 1 unless the value is positive. */
  public static double roundedUp(double value) {
    if (!(value > 0)) {
      return 1;
    }
    double unit = Math.pow(10, Math.floor(Math.log10(value)));
    for (double round : ROUND) {
      if (round * unit >= value) {
        return round * unit;
      }
    }
    return 10 * unit;
  }
}
