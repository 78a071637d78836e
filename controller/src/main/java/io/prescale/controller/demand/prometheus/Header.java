package io.prescale.controller.demand.prometheus;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** A header sent with every request, such as {@code X-Scope-OrgID}. Its value may be a secret. */
public record Header(String name, String value) {
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
  private static final String NAMESPACE = "X-Prescale-Namespace";
  private static final Set<String> NOT_OURS_TO_SET =
      Set.of("connection", "content-length", "expect", "host", "upgrade");

  public Header {
    if (!TOKEN.matcher(name).matches()) {
      throw new IllegalArgumentException("The header name " + name + " is not valid in HTTP.");
    }
    if (NOT_OURS_TO_SET.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "The header " + name + " is set by the client itself; remove it.");
    }
    if (!value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c < 0x7f))) {
      throw new IllegalArgumentException(
          "The value of the header " + name + " contains a character that HTTP does not allow.");
    }
  }

  /** The tenant header of Mimir, Cortex and Loki. */
  public static Header tenant(String id) {
    return new Header("X-Scope-OrgID", id);
  }

  /** The namespace that a prom-label-proxy enforces in each selector of the query. */
  static Header enforcedNamespace(String namespace) {
    return new Header(NAMESPACE, namespace);
  }

  boolean isEnforcedNamespace() {
    return name.equals(NAMESPACE);
  }

  @Override
  public String toString() {
    return "Header[name=" + name + ", value=…]";
  }
}
