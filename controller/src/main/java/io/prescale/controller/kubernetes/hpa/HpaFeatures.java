package io.prescale.controller.kubernetes.hpa;

import io.fabric8.kubernetes.client.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the HPAs of one API server can do.
 *
 * @param tolerance whether {@code behavior.scaleUp.tolerance} exists: on by default from Kubernetes
 *     1.35 (feature gate HPAConfigurableTolerance)
 */
public record HpaFeatures(boolean tolerance) {
  private static final int TOLERANCE_SINCE_MINOR = 35;

  /** Those of a server of this version; of one that does not say, the fewest. */
  public static HpaFeatures of(@Nullable VersionInfo version) {
    if (version == null) {
      return new HpaFeatures(false);
    }
    int major = leadingNumber(version.getMajor());
    int minor = leadingNumber(version.getMinor());
    return new HpaFeatures(major > 1 || (major == 1 && minor >= TOLERANCE_SINCE_MINOR));
  }

  /** Some distributions write {@code 35+}. */
  private static int leadingNumber(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 || end > 6 ? 0 : Integer.parseInt(text.substring(0, end));
  }
}
