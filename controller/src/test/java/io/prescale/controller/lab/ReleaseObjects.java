package io.prescale.controller.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What a release of the chart has put into a laboratory's cluster, and what is left of it.
 *
 * @param lab where it is installed, in the namespace of {@link ReleasedProgram}
 */
record ReleaseObjects(Lab lab) {
  static final String API_SERVICE = "v1beta1.external.metrics.k8s.io";
  static final String DEFINITION = "predictivehpas.autoscaling.prescale.io";

  /** What Helm leaves of a release. */
  static final List<String> DEFINITIONS =
      List.of(
          "crd/capacityplans.placement.prescale.io",
          "crd/gpubookings.placement.prescale.io",
          "crd/gpuqueues.placement.prescale.io",
          "crd/" + DEFINITION);

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a service account of the release was not allowed to do since a time. */
  List<String> refused(String serviceAccount, Instant since) throws IOException {
    var refused = new ArrayList<String>();
    var user = "system:serviceaccount:%s:%s".formatted(ReleasedProgram.NAMESPACE, serviceAccount);
    for (var event : AuditLog.events(lab, user)) {
      if (event.at("/user/username").asText().equals(user)
          && event.at("/responseStatus/code").asInt() == 403
          && !Instant.parse(event.get("requestReceivedTimestamp").asText()).isBefore(since)) {
        refused.add(event.get("verb").asText() + " " + event.get("requestURI").asText());
      }
    }
    return refused;
  }

  /** What is there of Prescale outside of its namespace, and in it but for the Lease. */
  List<String> leftBehind() throws Exception {
    var names = new ArrayList<String>();
    for (String kind :
        List.of(
            "apiservice",
            "crd",
            "clusterrole",
            "clusterrolebinding",
            "validatingadmissionpolicy",
            "validatingadmissionpolicybinding",
            "namespace")) {
      names(kind, "").filter(name -> !name.equals("namespace/prescale")).forEach(names::add);
    }
    names("rolebinding", "kube-system").forEach(names::add);
    for (String kind : List.of("deploy", "pdb", "svc", "secret", "sa", "role", "netpol", "cm")) {
      names(kind, ReleasedProgram.NAMESPACE).forEach(names::add);
    }
    return names;
  }

  Stream<String> names(String kind, String namespace) throws Exception {
    var where = namespace.isEmpty() ? "--all-namespaces" : "--namespace=" + namespace;
    return lab.kubectl("get", kind, where, "-o", "name")
        .lines()
        .map(line -> kind + line.substring(line.indexOf('/')))
        .filter(
            name ->
                // The API server registers the group of every definition by itself.
                kind.equals("apiservice") ? name.endsWith(API_SERVICE) : name.contains("prescale"));
  }

  String available() throws Exception {
    for (JsonNode condition : registration().at("/status/conditions")) {
      if (condition.get("type").asText().equals("Available")) {
        return condition.get("status").asText();
      }
    }
    return "Unknown";
  }

  JsonNode registration() throws Exception {
    return get("apiservice", API_SERVICE, "default");
  }

  JsonNode secret() throws Exception {
    return get("secret", "prescale-tls", ReleasedProgram.NAMESPACE);
  }

  JsonNode deployment() throws Exception {
    return get("deployment", "prescale", ReleasedProgram.NAMESPACE);
  }

  JsonNode get(String kind, String name, String namespace) throws Exception {
    return JSON.readTree(lab.kubectl("get", kind, name, "--namespace=" + namespace, "-o", "json"));
  }

  /** Its namespace: no pod gets into it that is not restricted, as the Standards have it. */
  static String restrictedNamespace() {
    return """
    apiVersion: v1
    kind: Namespace
    metadata:
      name: %s
      labels: {pod-security.kubernetes.io/enforce: restricted}
    """
        .formatted(ReleasedProgram.NAMESPACE);
  }

  /** The definition of a kind, without the schema that its operator would bring. */
  static String anything(String group, String kind) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: %2$ss.%1$s}
    spec:
      group: %1$s
      scope: Namespaced
      names: {kind: %3$s, plural: %2$ss, singular: %2$s}
      versions:
      - name: v1
        served: true
        storage: true
        schema:
          openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """
        .formatted(group, kind.toLowerCase(Locale.ROOT), kind);
  }
}
