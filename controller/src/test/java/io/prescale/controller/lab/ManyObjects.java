package io.prescale.controller.lab;

/** PredictiveHPAs of many teams, active, each with a query and a target without pods of its own. */
final class ManyObjects {
  static final int IN_A_NAMESPACE = 10;

  private ManyObjects() {}

  /** Where the external metrics API has the value of one. */
  static String path(int number) {
    return "/apis/external.metrics.k8s.io/v1beta1/namespaces/team-%d/demand?labelSelector=predictivehpa%%3Dmodel-%d"
        .formatted(number / IN_A_NAMESPACE, number);
  }

  /**
   * Makes them and their targets.
   *
   * @param forecast what each spec.forecast holds, such as {@code step: 5m}; empty for the defaults
   */
  static void create(Lab lab, int objects, String forecast) throws Exception {
    lab.apply(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: models.lab.prescale.io}
        spec:
          group: lab.prescale.io
          scope: Namespaced
          names: {kind: Model, plural: models, singular: model}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            subresources:
              scale:
                specReplicasPath: .spec.replicas
                statusReplicasPath: .status.replicas
                labelSelectorPath: .status.selector
        """);
    lab.awaitDefinitions();
    for (int team = 0; team * IN_A_NAMESPACE < objects; team++) {
      var manifest = new StringBuilder(namespace(team));
      for (int i = 0; i < IN_A_NAMESPACE; i++) {
        int number = team * IN_A_NAMESPACE + i;
        if (number < objects) {
          manifest.append(object(team, number, forecast));
        }
      }
      lab.apply(manifest.toString());
    }
  }

  private static String namespace(int team) {
    return "apiVersion: v1\nkind: Namespace\nmetadata: {name: team-%d}\n".formatted(team);
  }

  /** No two queries and no two days are alike. */
  private static String object(int team, int number, String forecast) {
    return """
    ---
    apiVersion: lab.prescale.io/v1
    kind: Model
    metadata: {name: model-%1$d, namespace: team-%2$d}
    spec: {replicas: 1}
    status: {replicas: 1, selector: "app=model-%1$d"}
    ---
    apiVersion: autoscaling.prescale.io/v1alpha1
    kind: PredictiveHPA
    metadata: {name: model-%1$d, namespace: team-%2$d}
    spec:
      mode: Active
      scaleTargetRef: {apiVersion: lab.prescale.io/v1, kind: Model, name: model-%1$d}
      minReplicas: 1
      maxReplicas: 12
      metrics:
      - name: demand
        prometheus: {query: "%3$s offset %4$dm * %5$.3f"}
        target: {averageValue: "10"}
      forecast: {%6$s}
    """
        .formatted(
            number,
            team,
            LoadExporter.SERIES.replace("\"", "\\\""),
            number % 1439,
            0.5 + number % 97 / 97.0,
            forecast);
  }
}
