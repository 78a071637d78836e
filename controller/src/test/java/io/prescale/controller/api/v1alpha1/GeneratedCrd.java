package io.prescale.controller.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRule;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ValidationRuleBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * The CustomResourceDefinition generated from the types, completed with what annotations cannot
 * express: list types, descriptions of the HPA's own fields, and the rule on the resource's name.
 */
public final class GeneratedCrd {
  /** The command that renews every generated file. */
  public static final String RENEWAL =
      "./mvnw -pl controller -am test -Dtest=GeneratedFilesTest -Dprescale.renew=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  private static final String QUANTITY =
      "^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,2})?$";

  private static final long LONGEST_QUANTITY = 32;

  private static final String TIME =
      "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?"
          + "(Z|[+-](0[0-9]|1[0-7]):[0-5][0-9])$";

  private static final ValidationRule LONGEST_NAME =
      new ValidationRuleBuilder()
          .withRule("self.metadata.name.size() <= 63")
          .withMessageExpression(
              "'metadata.name is \\'' + self.metadata.name + '\\', longer than the 63"
                  + " characters of a label; shorten it'")
          .build();

  private static final ValidationRule OWN_PARENT =
      new ValidationRuleBuilder()
          .withRule("!has(self.spec.parent) || self.spec.parent != self.metadata.name")
          .withFieldPath(".spec.parent")
          .withMessage("the queue is its own parent; name another one, or none")
          .build();

  private GeneratedCrd() {}

  /** The definition of PredictiveHPA as a manifest, with the command that renews it. */
  public static String yaml() {
    return yaml(PredictiveHPA.class, GeneratedCrd::refineScaling);
  }

  /** The definition of GpuQueue as a manifest, with the command that renews it. */
  public static String queues() {
    return yaml(GpuQueue.class, GeneratedCrd::refineQueue);
  }

  /** The definition of CapacityPlan as a manifest, with the command that renews it. */
  public static String plans() {
    return yaml(CapacityPlan.class, GeneratedCrd::refinePlan);
  }

  /** The definition of GpuBooking as a manifest, with the command that renews it. */
  public static String bookings() {
    return yaml(GpuBooking.class, GeneratedCrd::refineBooking);
  }

  private static String yaml(
      Class<? extends CustomResource<?, ?>> kind, Consumer<JSONSchemaProps> refinement) {
    var bytes = new ByteArrayOutputStream();
    new CRDGenerator()
        .customResourceClasses(kind)
        .forCRDVersions("v1")
        .withMinQuotes(false) // an unquoted True would be a boolean
        .withPostProcessor(new Refinement(kind, refinement))
        .withOutput(new Memory(bytes))
        .generate();
    var generated = bytes.toString(StandardCharsets.UTF_8);
    var body = generated.substring(generated.indexOf("apiVersion:"));
    return "# Generated from io.prescale.controller.api.v1alpha1; renew with\n# "
        + RENEWAL
        + "\n"
        + body;
  }

  /** The schema of the spec of PredictiveHPA. */
  public static JSONSchemaProps specSchema() {
    return specSchema(yaml());
  }

  /** The schema of the spec of a definition. */
  public static JSONSchemaProps specSchema(String yaml) {
    var definition = new KubernetesSerialization().unmarshal(yaml, CustomResourceDefinition.class);
    return Schemas.at(
        definition.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema(), "spec");
  }

  private static void refineScaling(JSONSchemaProps root) {
    root.setDescription(
        "A workload that is scaled ahead of its demand: Prescale forecasts the demand one lead"
            + " time ahead and serves it to an HPA as an external metric.");
    Schemas.at(root, "spec").setDescription("Target to scale, its demand, and the accepted risk.");
    Schemas.at(root, "status")
        .setDescription("Observations, decisions and served values; written by the controller.");
    rules(root, LONGEST_NAME);
    HpaFields.describe(root);
    mapBy("name", Schemas.at(root, "spec", "metrics"));
    mapBy("name", Schemas.at(root, "status", "metrics"));
    mapBy("type", Schemas.at(root, "status", "conditions"));
    Schemas.at(root, "spec", "forecast", "models").setXKubernetesListType("set");
  }

  private static void refineQueue(JSONSchemaProps root) {
    root.setDescription(
        "A queue of pods that ask for cards. Pods and namespaces name it by the label"
            + " gpu.prescale.io/queue.");
    Schemas.at(root, "spec").setDescription("The part of the cluster's cards that it may have.");
    Schemas.at(root, "status")
        .setDescription("What it has and waits for; written by the scheduler extender.");
    rules(root, LONGEST_NAME, OWN_PARENT);
    mapBy("type", Schemas.at(root, "status", "conditions"));
  }

  private static void refineBooking(JSONSchemaProps root) {
    root.setDescription(
        "Replicas of a workload that are expected and do not exist yet, for which cards are kept."
            + " The controller writes one for each PredictiveHPA with spec.booking.mode Book;"
            + " others may be written by hand.");
    Schemas.at(root, "spec").setDescription("Which replicas are expected, and what one asks for.");
    Schemas.at(root, "status")
        .setDescription("What is kept for them; written by the scheduler extender.");
    rules(root, LONGEST_NAME);
    mapBy("type", Schemas.at(root, "status", "conditions"));
    refineTemplate(Schemas.at(root, "spec", "template"));
    refineTemplate(Schemas.at(root, "spec", "leaderTemplate"));
  }

  /** Of a template, what a booking keeps. */
  private static void refineTemplate(JSONSchemaProps template) {
    var pod = Schemas.at(template, "spec");
    keep(Schemas.at(template, "metadata"), "labels", "annotations");
    keep(
        pod,
        "containers",
        "imagePullSecrets",
        "initContainers",
        "nodeSelector",
        "overhead",
        "priority",
        "priorityClassName",
        "runtimeClassName",
        "schedulerName",
        "serviceAccountName",
        "tolerations",
        "volumes");
    keep(Schemas.at(pod, "volumes"), "name", "image");
    keep(Schemas.at(pod, "volumes", "[]", "image"), "reference");
    pod.setRequired(List.of("containers"));
    for (var containers : List.of("containers", "initContainers")) {
      keep(Schemas.at(pod, containers), "name", "image", "resources", "restartPolicy");
      keep(Schemas.at(pod, containers, "[]", "resources"), "limits", "requests");
    }
    template.setRequired(List.of("spec"));
    describeAsOfPods(template);
  }

  private static void describeAsOfPods(JSONSchemaProps schema) {
    if (schema.getDescription() == null) {
      schema.setDescription("As in a pod's template.");
    }
    if (schema.getProperties() != null) {
      schema.getProperties().values().forEach(GeneratedCrd::describeAsOfPods);
    }
    if (schema.getItems() != null) {
      describeAsOfPods(schema.getItems().getSchema());
    }
  }

  /** Removes all other properties, of which the API server then keeps nothing. */
  private static void keep(JSONSchemaProps schema, String... properties) {
    var of = schema.getItems() == null ? schema : schema.getItems().getSchema();
    of.getProperties().keySet().retainAll(List.of(properties));
  }

  private static void refinePlan(JSONSchemaProps root) {
    root.setDescription(
        "The plan of the cluster's cards: which of them services will need within a day, what fits,"
            + " and what would help. There is one, named cluster, and it has only a status.");
    root.getProperties().remove("spec");
    Schemas.at(root, "status").setDescription("The newest plan; written by the controller.");
  }

  private static void rules(JSONSchemaProps root, ValidationRule... rules) {
    root.setRequired(List.of("spec"));
    root.setXKubernetesValidations(List.of(rules));
  }

  private static void mapBy(String key, JSONSchemaProps list) {
    list.setXKubernetesListType("map");
    list.setXKubernetesListMapKeys(List.of(key));
  }

  /** Changes the generated definition in place. */
  private record Refinement(Class<?> kind, Consumer<JSONSchemaProps> refinement)
      implements CRDPostProcessor {
    @Override
    public HasMetadata process(HasMetadata resource, String crdVersion) {
      var definition = (CustomResourceDefinition) resource;
      var version = definition.getSpec().getVersions().getFirst();
      orderColumns(version);
      var root = version.getSchema().getOpenAPIV3Schema();
      refinement.accept(root);
      eachRuleOnce(root);
      readableByJava(root);
      return definition;
    }

    /** Printer columns in declaration order; the generator sorts them by path. */
    private void orderColumns(CustomResourceDefinitionVersion version) {
      List<String> declared =
          Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
              .map(AdditionalPrinterColumn::name)
              .toList();
      version
          .getAdditionalPrinterColumns()
          .sort(Comparator.comparingInt(column -> declared.indexOf(column.getName())));
      version.getAdditionalPrinterColumns().stream()
          .filter(column -> column.getPriority() != null && column.getPriority() == 0)
          .forEach(column -> column.setPriority(null));
    }

    /**
     * Bounds quantities and times to what Java reads too: the API server takes offsets of a day,
     * ten digits of a second, and exponents without end.
     */
    private static void readableByJava(JSONSchemaProps schema) {
      if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
        schema.setPattern(QUANTITY);
        schema.setMaxLength(LONGEST_QUANTITY);
      }
      if ("date-time".equals(schema.getFormat())) {
        schema.setPattern(TIME);
      }
      if (schema.getProperties() != null) {
        schema.getProperties().values().forEach(Refinement::readableByJava);
      }
      if (schema.getItems() != null) {
        readableByJava(schema.getItems().getSchema());
      }
      if (schema.getAdditionalProperties() != null) {
        readableByJava(schema.getAdditionalProperties().getSchema());
      }
    }

    /**
     * Removes duplicates: the generator finds annotations of a record's component on both field and
     * accessor.
     */
    private static void eachRuleOnce(JSONSchemaProps schema) {
      if (schema.getXKubernetesValidations() != null) {
        schema.setXKubernetesValidations(
            List.copyOf(new LinkedHashSet<>(schema.getXKubernetesValidations())));
      }
      if (schema.getProperties() != null) {
        schema.getProperties().values().forEach(Refinement::eachRuleOnce);
      }
      if (schema.getItems() != null) {
        eachRuleOnce(schema.getItems().getSchema());
      }
    }
  }

  /** Keeps the output of the generator in memory. */
  private record Memory(ByteArrayOutputStream bytes)
      implements CRDGenerator.CRDOutput<ByteArrayOutputStream> {
    @Override
    public ByteArrayOutputStream outputFor(String name) {
      return bytes;
    }

    @Override
    public URI crdURI(String name) {
      return URI.create("file:/memory/" + name);
    }

    @Override
    public void close() {}
  }
}
