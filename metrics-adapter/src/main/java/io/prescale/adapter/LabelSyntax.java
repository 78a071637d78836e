package io.prescale.adapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The syntax of label keys and values (Kubernetes documentation, "Labels and Selectors"; messages
 * of {@code k8s.io/apimachinery/pkg/util/validation}).
 */
final class LabelSyntax {
  private static final int NAME_LENGTH = 63;
  private static final int PREFIX_LENGTH = 253;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*");

  private LabelSyntax() {}

  /**
   * Accepts {@code name} or {@code prefix/name}.
   *
   * @throws SelectorException if a part is empty, too long or has other characters
   */
  static void checkKey(String key) throws SelectorException {
    var faults = new ArrayList<String>();
    int slash = key.indexOf('/');
    if (slash != key.lastIndexOf('/')) {
      faults.add(
          nameRule("a valid label key")
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    } else {
      if (slash >= 0) {
        checkPrefix(key.substring(0, slash), faults);
      }
      checkName(key.substring(slash + 1), faults);
    }
    if (!faults.isEmpty()) {
      throw new SelectorException(invalid("<nil>", key, String.join("; ", faults)));
    }
  }

  private static void checkPrefix(String prefix, List<String> faults) {
    if (prefix.isEmpty()) {
      faults.add("prefix part must be non-empty");
      return;
    }
    if (prefix.length() > PREFIX_LENGTH) {
      faults.add("prefix part must be no more than 253 bytes");
    }
    if (!PREFIX.matcher(prefix).matches()) {
      faults.add(
          "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
              + " characters, '-' or '.', and must start and end with an alphanumeric character"
              + " (e.g. 'example.com', regex used for validation is"
              + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    }
  }

  private static void checkName(String name, List<String> faults) {
    if (name.isEmpty()) {
      faults.add("name part must be non-empty");
    }
    if (name.length() > NAME_LENGTH) {
      faults.add("name part must be no more than 63 bytes");
    }
    if (!NAME.matcher(name).matches()) {
      faults.add(nameRule("name part"));
    }
  }

  /** Why {@code value} is neither empty nor a name; empty if it is either. */
  static Optional<String> faultOfValue(String key, int index, String value) {
    var faults = new ArrayList<String>();
    if (value.length() > NAME_LENGTH) {
      faults.add("must be no more than 63 bytes");
    }
    if (!value.isEmpty() && !NAME.matcher(value).matches()) {
      faults.add(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
              + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
              + " 'my_value',  or '12345', regex used for validation is"
              + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    }
    return faults.isEmpty()
        ? Optional.empty()
        : Optional.of(
            invalid("values[%d][%s]".formatted(index, key), value, String.join("; ", faults)));
  }

  /** One refusal of a field, as {@code k8s.io/apimachinery/pkg/util/validation/field} words it. */
  static String invalid(String field, String value, String rule) {
    var quoted = value.replace("\\", "\\\\").replace("\"", "\\\"");
    return "%s: Invalid value: \"%s\": %s".formatted(field, quoted, rule);
  }

  private static String nameRule(String what) {
    return what
        + " must consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
        + " an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
        + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  }
}
