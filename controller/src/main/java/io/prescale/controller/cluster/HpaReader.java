package io.prescale.controller.cluster;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TreeTraversingParser;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads an HPA whatever it says, so that one that a later Kubernetes, or another tool, writes in
 * another way leaves lists and watches of all others unharmed. What cannot be read is left out.
 */
public final class HpaReader extends DelegatingDeserializer {
  private static final long serialVersionUID = 1;

  /** No HPA of an API server has such a field. */
  private static final String UNREADABLE = "rulesOfWhichSomeCannotBeRead";

  /** What is left out, each with those before it, until the rest can be read. */
  private static final List<Consumer<ObjectNode>> LEAVE_OUT =
      List.of(
          hpa -> hpa.remove("status"),
          hpa -> keepMetadata(hpa, "labels", "annotations", "ownerReferences"),
          hpa -> keepOfSpec(hpa.put(UNREADABLE, true), "scaleTargetRef", "maxReplicas"),
          hpa -> keepOfSpec(hpa, "scaleTargetRef"),
          hpa -> keepOfSpec(hpa),
          hpa -> keepMetadata(hpa));

  /**
   * Neither names nor depth end a list, and names are not kept for the next one. Some kinds take
   * JSON of any shape from users, and the API server lets it be ten times as deep as Jackson does.
   */
  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  private HpaReader(JsonDeserializer<?> whole) {
    super(whole);
  }

  /**
   * JSON as the client library reads and writes it, but for HPAs, long names and depth. Every owner
   * of an object, with a UID of any length, is a name within {@code managedFields}.
   */
  public static KubernetesSerialization json() {
    var hpas =
        new SimpleModule()
            .setDeserializerModifier(
                new BeanDeserializerModifier() {
                  private static final long serialVersionUID = 1;

                  @Override
                  public JsonDeserializer<?> modifyDeserializer(
                      DeserializationConfig config,
                      BeanDescription bean,
                      JsonDeserializer<?> usual) {
                    return bean.getBeanClass() == HorizontalPodAutoscaler.class
                        ? new HpaReader(usual)
                        : usual;
                  }
                });
    return new KubernetesSerialization(new ObjectMapper(JSON.copy()).registerModule(hpas), true);
  }

  /** Whether some of an HPA's rules are not known; a target that is not known has no name. */
  public static boolean isInPart(HorizontalPodAutoscaler hpa) {
    return hpa.getAdditionalProperties().containsKey(UNREADABLE);
  }

  @Override
  protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> whole) {
    return new HpaReader(whole);
  }

  @Override
  public Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    JsonNode json = parser.readValueAsTree();
    var leaving = LEAVE_OUT.iterator();
    while (true) {
      try (var again = new TreeTraversingParser(json, parser.getCodec())) {
        again.nextToken();
        return super.deserialize(again, context);
      } catch (JsonMappingException e) {
        if (!leaving.hasNext() || !(json instanceof ObjectNode hpa)) {
          throw e;
        }
        leaving.next().accept(hpa);
      }
    }
  }

  private static void keepMetadata(ObjectNode hpa, String... more) {
    var fields = new ArrayList<>(List.of("namespace", "name", "uid", "resourceVersion"));
    fields.addAll(List.of(more));
    keep(hpa, "metadata", fields.toArray(String[]::new));
  }

  private static void keepOfSpec(ObjectNode hpa, String... fields) {
    var spec = keep(hpa, "spec", fields);
    if (!spec.has("scaleTargetRef")) {
      spec.putObject("scaleTargetRef").put("kind", "").put("name", "");
    }
  }

  private static ObjectNode keep(ObjectNode hpa, String part, String... fields) {
    var kept = hpa.get(part) instanceof ObjectNode object ? object : hpa.objectNode();
    hpa.set(part, kept.retain(fields));
    return kept;
  }
}
