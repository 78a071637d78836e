package io.prescale.placement.inventory;

/** One way to write the names of images, which pods and container runtimes write differently. */
public final class ImageNames {
  private static final String DOCKER_HUB = "docker.io/";

  private ImageNames() {}

  /**
   * The name with its registry and its tag, as containerd lists it: {@code nginx} is {@code
   * docker.io/library/nginx:latest}. The same object if it is written so already.
   */
  public static String canonical(String name) {
    int slash = name.indexOf('/');
    var first = slash < 0 ? "" : name.substring(0, slash);
    boolean hasRegistry =
        first.indexOf('.') >= 0 || first.indexOf(':') >= 0 || first.equals("localhost");
    var full = hasRegistry ? name : DOCKER_HUB + (slash < 0 ? "library/" : "") + name;
    boolean isTagged = full.indexOf('@') >= 0 || full.indexOf(':', full.lastIndexOf('/') + 1) >= 0;
    return isTagged ? full : full + ":latest";
  }
}
