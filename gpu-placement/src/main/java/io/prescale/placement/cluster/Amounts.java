package io.prescale.placement.cluster;

/** Formats amounts of memory for people. */
final class Amounts {
  private static final int MIB_PER_GIB = 1024;

  private Amounts() {}

  static String mebibytes(long mebibytes) {
    return mebibytes % MIB_PER_GIB == 0 ? mebibytes / MIB_PER_GIB + " GiB" : mebibytes + " MiB";
  }
}
