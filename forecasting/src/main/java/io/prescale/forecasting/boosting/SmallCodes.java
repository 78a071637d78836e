package io.prescale.forecasting.boosting;

/**
 * Turns signed numbers into small codes that compress well: signed square roots, whose steps suit
 * small values as well as large ones, and whole numbers with their sign in the lowest bit.
 */
public final class SmallCodes {
  private SmallCodes() {}

  /** The square root of the size, with the sign. */
  public static double root(double value) {
    return Math.copySign(Math.sqrt(Math.abs(value)), value);
  }

  /** The value with this {@link #root}. */
  public static double ofRoot(double root) {
    return root * Math.abs(root);
  }

  /** 0, 1, 2, 3, … for 0, -1, 1, -2, …: the zigzag encoding of Protocol Buffers. */
  public static int zigzag(int number) {
    return number << 1 ^ number >> 31;
  }

  /** The number with this {@link #zigzag} code. */
  public static int ofZigzag(int code) {
    return code >>> 1 ^ -(code & 1);
  }
}
