package io.prescale.controller.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists that are read a page at a time, so that no more than a page is whole in memory. */
public final class Pages {
  private Pages() {}

  /**
   * Shows each page.
   *
   * @param size objects of a page, see {@link BriefObjects}
   * @throws KubernetesClientException when the server refuses, cannot be reached, or has forgotten
   *     how the list began
   */
  public static <T extends HasMetadata> void each(
      Listable<? extends KubernetesResourceList<T>> some, long size, Consumer<List<T>> shown) {
    String next = null;
    do {
      var page = page(some, size, next);
      shown.accept(page.getItems());
      next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
  }

  private static <L> L page(Listable<L> some, long size, @Nullable String next) {
    while (true) {
      try {
        return some.list(new ListOptionsBuilder().withLimit(size).withContinue(next).build());
      } catch (KubernetesClientException e) {
        if (!(ApiFailure.innermost(e) instanceof PageSizes.TooLargeException)) {
          throw e;
        }
      }
    }
  }
}
