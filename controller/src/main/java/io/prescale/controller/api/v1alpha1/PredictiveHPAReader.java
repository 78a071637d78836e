package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a PredictiveHPA from JSON whatever its spec and status are, so that one object that cannot
 * be read leaves lists and watches of all others unharmed. Of the metadata it leaves out what
 * Prescale never reads, labels, annotations, owners and managed fields, and the names of finalizers
 * beyond the first 64 but for its own, and of a spec that is too large everything: watches keep
 * what is read here, in every replica.
 */
final class PredictiveHPAReader extends JsonDeserializer<PredictiveHPA> {
  private static final int LONGEST_VALUE = 80;

  /** Characters of JSON; about thirty times those of a usual spec. */
  private static final int LARGEST_SPEC = 64 << 10;

  private static final Set<String> NOT_READ =
      Set.of("labels", "annotations", "ownerReferences", "managedFields");

  /** Each has at most 317 characters. What is left keeps its places, by which one is removed. */
  private static final int MOST_FINALIZERS = 64;

  /** Of finalizers up to Prescale's, so that it is not missed and added again. */
  private static final int MOST_PLACES = 4096;

  /** One string for all finalizers that are only counted. */
  private static final String PLACE = "-";

  /** A status that cannot be read with this many parts left out counts as none. */
  private static final int MOST_PARTS_LEFT_OUT = 100;

  @Override
  public PredictiveHPA deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    JsonNode json = read(parser, true);
    var resource = new PredictiveHPA();
    if (json.get("metadata") instanceof ObjectNode meta) {
      var read = context.readTreeAsValue(meta, ObjectMeta.class);
      if (read.getFinalizers().size() > MOST_FINALIZERS) {
        read.setFinalizers(inBrief(read.getFinalizers()));
      }
      resource.setMetadata(read);
    }
    if (json.get(PredictiveHPA.SPEC_TOO_LARGE) instanceof TextNode problem) {
      resource.setSpec(null);
      resource.setUnreadable(UnreadableSpec.tooLarge(problem.textValue()));
    } else {
      readSpec(json.path("spec"), resource, context);
    }
    resource.setStatus(status(json.path("status"), context));
    return resource;
  }

  /** What is not read is skipped: it is half of a usual object, and nearly all of a large one. */
  private static JsonNode read(JsonParser parser, boolean isWhole) throws IOException {
    if (!parser.isExpectedStartObjectToken()) {
      return parser.readValueAsTree();
    }
    var object = JsonNodeFactory.instance.objectNode();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var name = parser.currentName();
      parser.nextToken();
      if (!isWhole && NOT_READ.contains(name)) {
        parser.skipChildren();
      } else if (isWhole && name.equals("metadata")) {
        object.set(name, read(parser, false));
      } else {
        object.set(name, parser.<JsonNode>readValueAsTree());
      }
    }
    return object;
  }

  /** The first ones, and Prescale's in its place. */
  private static List<String> inBrief(List<String> finalizers) {
    var kept = new ArrayList<>(finalizers.subList(0, MOST_FINALIZERS));
    int own = finalizers.indexOf(PredictiveHPA.FINALIZER);
    if (own >= MOST_FINALIZERS && own < MOST_PLACES) {
      kept.addAll(Collections.nCopies(own - MOST_FINALIZERS, PLACE));
      kept.add(PredictiveHPA.FINALIZER);
    }
    return kept;
  }

  private static void readSpec(
      JsonNode json, PredictiveHPA resource, DeserializationContext context) {
    resource.setSpec(null);
    if (json.isMissingNode() || json.isNull()) {
      return;
    }
    int size = json.toString().length();
    if (size > LARGEST_SPEC) {
      var problem =
          "spec has %d characters of JSON; write at most %d".formatted(size, LARGEST_SPEC);
      resource.setUnreadable(UnreadableSpec.tooLarge(problem));
      return;
    }
    try {
      resource.setSpec(context.readTreeAsValue(json, PredictiveHPASpec.class));
    } catch (JsonMappingException e) {
      resource.setUnreadable(new UnreadableSpec(json, problem(json, e)));
    } catch (IOException | RuntimeException e) {
      resource.setUnreadable(new UnreadableSpec(json, "spec: " + e.getMessage()));
    }
  }

  /** The field, its value and the remedy; or what a type of ours says of the field. */
  private static String problem(JsonNode spec, JsonMappingException failure) {
    var path = failure.getPath();
    var cause = failure.getCause();
    if (failure instanceof ValueInstantiationException
        && cause != null
        && cause.getMessage() != null) {
      return "spec%s: %s; correct it".formatted(text(path), cause.getMessage());
    }
    var explained =
        path.stream()
            .map(Reference::getFieldName)
            .filter(name -> name != null)
            .map(name -> "." + name)
            .collect(Collectors.joining());
    return "spec%s is %s, which cannot be read; write it as `kubectl explain phpa.spec%s` says"
        .formatted(
            text(path), Shortened.to(LONGEST_VALUE, valueAt(path, spec).toString()), explained);
  }

  private static String text(List<Reference> path) {
    return path.stream()
        .map(it -> it.getFieldName() == null ? "[" + it.getIndex() + "]" : "." + it.getFieldName())
        .collect(Collectors.joining());
  }

  private static JsonNode valueAt(List<Reference> path, JsonNode root) {
    var node = root;
    for (var step : path) {
      node = child(node, step);
    }
    return node;
  }

  private static JsonNode child(JsonNode node, Reference step) {
    return step.getFieldName() == null
        ? node.path(step.getIndex())
        : node.path(step.getFieldName());
  }

  /** The status without the parts that cannot be read, such as reasons of a later version. */
  private static @Nullable PredictiveHPAStatus status(
      JsonNode json, DeserializationContext context) {
    for (int leftOut = 0; leftOut <= MOST_PARTS_LEFT_OUT && json.isObject(); leftOut++) {
      try {
        return context.readTreeAsValue(json, PredictiveHPAStatus.class);
      } catch (JsonMappingException e) {
        if (!leaveOut(e.getPath(), json)) {
          return null;
        }
      } catch (IOException | RuntimeException _) {
        return null;
      }
    }
    return null;
  }

  /** Leaves out the item of a list, or else the field, that the path leads through. */
  private static boolean leaveOut(List<Reference> path, JsonNode status) {
    var node = status;
    for (var step : path) {
      if (node instanceof ArrayNode list) {
        return list.remove(step.getIndex()) != null;
      }
      node = child(node, step);
    }
    return !path.isEmpty()
        && status instanceof ObjectNode fields
        && fields.remove(path.getFirst().getFieldName()) != null;
  }
}
