package io.prescale.adapter.api;

import io.prescale.adapter.identity.User;
import java.util.List;

/** Another adapter, which served the API before and still has metrics of its own. */
public interface Upstream {
  /**
   * Its answer to a request that it may answer, asked in the name of the caller.
   *
   * @throws UpstreamException when it did not answer
   */
  ApiResponse answer(ApiRequest request, User caller) throws UpstreamException;

  /** The names of the resources in its discovery, as of the last time that it gave one. */
  List<String> resources();
}
