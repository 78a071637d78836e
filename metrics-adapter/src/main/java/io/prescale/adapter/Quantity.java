package io.prescale.adapter;

/** Formats Kubernetes quantities in decimal SI units. */
public final class Quantity {
  private static final String[] SUFFIXES = {"m", "", "k", "M", "G", "T", "P"};

  private Quantity() {}

  /**
   * Formats thousandths with the largest suffix that leaves no fraction: 128500 is {@code 128500m},
   * 129000 is {@code 129}, 2000000 is {@code 2k} ({@code
   * k8s.io/apimachinery/pkg/api/resource.Quantity}, "Canonical form").
   */
  public static String ofMilli(long milli) {
    if (milli == 0) {
      return "0";
    }
    int suffix = 0;
    var mantissa = milli;
    while (mantissa % 1000 == 0 && suffix + 1 < SUFFIXES.length) {
      mantissa /= 1000;
      suffix++;
    }
    return mantissa + SUFFIXES[suffix];
  }
}
