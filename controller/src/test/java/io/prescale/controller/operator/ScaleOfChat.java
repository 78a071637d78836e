package io.prescale.controller.operator;

import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;

/** Deployment {@code chat} in namespace {@code team}: three replicas, which have no selector. */
final class ScaleOfChat {
  private ScaleOfChat() {}

  /**
   * Has a mock of an API server answer with it.
   *
   * @param read runs whenever it is read
   */
  static void answeredBy(KubernetesMockServer server, Runnable read) {
    answerKinds(server);
    answer(server, "chat", "", read);
  }

  /** Has it know Deployments. */
  static void answerKinds(KubernetesMockServer server) {
    var kinds =
        new APIResourceListBuilder()
            .addNewResource()
            .withName("deployments")
            .withKind("Deployment")
            .endResource()
            .addNewResource()
            .withName("deployments/scale")
            .withKind("Scale")
            .endResource()
            .build();
    server.expect().get().withPath("/apis/apps/v1").andReturn(200, kinds).always();
  }

  /** Has it answer with another Deployment of three replicas. */
  static void answer(KubernetesMockServer server, String name, String selector, Runnable read) {
    var scale = new ScaleBuilder().withNewSpec(3).withNewStatus(3, selector).build();
    server
        .expect()
        .get()
        .withPath("/apis/apps/v1/namespaces/team/deployments/%s/scale".formatted(name))
        .andReply(
            200,
            _ -> {
              read.run();
              return scale;
            })
        .always();
  }
}
