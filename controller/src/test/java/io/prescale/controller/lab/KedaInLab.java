package io.prescale.controller.lab;

import io.prescale.controller.demand.prometheus.SelfSigned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;

/** KEDA in a laboratory: its operator and its metrics adapter, as administrators. */
final class KedaInLab implements AutoCloseable {
  private static final String OPERATOR = "keda-operator";

  /** The HPA controller may read its metrics. */
  private static final String READERS =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRole
      metadata: {name: keda-external-metrics-reader}
      rules: [{apiGroups: [external.metrics.k8s.io], resources: ["*"], verbs: ["*"]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: keda-hpa-controller-external-metrics}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: keda-external-metrics-reader}
      subjects: [{kind: ServiceAccount, name: horizontal-pod-autoscaler, namespace: kube-system}]
      """;

  private static final String NAMES =
      "dns:localhost,dns:keda-operator.keda.svc,dns:keda-metrics-apiserver.keda.svc";

  private final SelfSigned certificate;
  private final Replica operator;
  private final Replica adapter;

  private KedaInLab(SelfSigned certificate, Replica operator, Replica adapter) {
    this.certificate = certificate;
    this.operator = operator;
    this.adapter = adapter;
  }

  /**
   * Installs and starts KEDA, which then serves the cluster's external metrics.
   *
   * @param folder for its certificate
   */
  static KedaInLab start(Lab lab, Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    var programs = Lab.keda();
    var certificate = SelfSigned.create(folder, OPERATOR, NAMES, "EC");
    var files = Files.createDirectories(folder.resolve("keda"));
    Files.copy(certificate.certificate(), files.resolve("ca.crt"));
    Files.copy(certificate.certificate(), files.resolve("tls.crt"));
    Files.copy(certificate.key(), files.resolve("tls.key"));
    int secure = PrescaleInLab.freePort();
    lab.kubectl("apply", "--server-side", "-f", programs.resolve("crds").toString());
    lab.awaitDefinitions();
    lab.apply(ForeignAdapter.registration("keda", "keda-metrics-apiserver", secure, certificate));
    lab.apply(READERS);
    int internal = PrescaleInLab.freePort();
    var operator = operator(lab, programs, files, internal);
    return new KedaInLab(certificate, operator, adapter(lab, programs, files, secure, internal));
  }

  private static Replica operator(Lab lab, Path programs, Path files, int internal)
      throws IOException {
    return Replica.start(
        OPERATOR,
        List.of(
            programs.resolve("operator").toString(),
            "--metrics-bind-address=0",
            "--health-probe-bind-address=0",
            "--metrics-service-bind-address=127.0.0.1:" + internal,
            "--cert-dir=" + files,
            "--enable-webhook-patching=false",
            "--enable-apiservice-patching=false"),
        environment(lab));
  }

  private static Replica adapter(Lab lab, Path programs, Path files, int secure, int internal)
      throws IOException {
    var kubeconfig = lab.describe().kubeconfig().toString();
    return Replica.start(
        "keda-adapter",
        List.of(
            programs.resolve("adapter").toString(),
            "--port=" + PrescaleInLab.freePort(),
            "--secure-port=" + secure,
            "--bind-address=127.0.0.1",
            "--cert-dir=" + files,
            "--tls-cert-file=" + files.resolve("tls.crt"),
            "--tls-private-key-file=" + files.resolve("tls.key"),
            "--authentication-kubeconfig=" + kubeconfig,
            "--authorization-kubeconfig=" + kubeconfig,
            "--lister-kubeconfig=" + kubeconfig,
            "--metrics-service-address=localhost:" + internal),
        environment(lab));
  }

  private static Map<String, String> environment(Lab lab) {
    return Map.of(
        "KUBECONFIG",
        lab.describe().kubeconfig().toString(),
        "POD_NAMESPACE",
        "keda",
        "KEDA_CLUSTER_OBJECT_NAMESPACE",
        "keda",
        "WATCH_NAMESPACE",
        "");
  }

  /**
   * A replica of Prescale that answers its operator, and leaves the API of metrics to it.
   *
   * @param serving what it shows to the operator
   * @param port where it answers
   */
  Replica ask(PrescaleInLab prescale, SelfSigned serving, int port) throws IOException {
    return ask(prescale, serving, certificate, port);
  }

  /** The same for another client than KEDA's operator. */
  static Replica ask(PrescaleInLab prescale, SelfSigned serving, SelfSigned client, int port)
      throws IOException {
    return prescale.startBeside(
        "asked",
        "--no-register",
        "--tls-cert-file=" + serving.certificate(),
        "--tls-key-file=" + serving.key(),
        "--keda-port=" + port,
        "--keda-ca-file=" + client.certificate());
  }

  /** By which the operator is known; it signed itself. */
  SelfSigned certificate() {
    return certificate;
  }

  @Override
  public void close() {
    adapter.close();
    operator.close();
  }
}
