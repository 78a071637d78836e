package io.prescale.controller.cluster;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Lists and maps of Kubernetes' objects, which may be absent. */
public final class OrEmpty {
  private OrEmpty() {}

  public static <T> List<T> orEmpty(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  public static <T> Map<String, T> orEmpty(@Nullable Map<String, T> map) {
    return map == null ? Map.of() : map;
  }
}
