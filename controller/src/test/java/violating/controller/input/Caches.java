package violating.controller.input;

import java.util.concurrent.ConcurrentHashMap;

final class Caches {
  static final ConcurrentHashMap<String, String> CACHE = new ConcurrentHashMap<>();

  private Caches() {}
}
