package io.prescale.controller.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesListBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Kubernetes objects in JSON, as {@code kubectl -o json} prints them. */
public final class KubernetesJson {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();

  /** Numbers stay as they are written. */
  private static final ObjectMapper TREES =
      JsonMapper.builder(
              HpaReader.JSON
                  .copy()
                  .setStreamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build()))
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private KubernetesJson() {}

  /** An object of the API server as a tree, whatever users have put into it. */
  public static ObjectNode read(String json) {
    try {
      return TREES.readValue(json, ObjectNode.class);
    } catch (JsonProcessingException e) {
      throw new KubernetesClientException("The API server's answer cannot be read.", e);
    }
  }

  /** A tree as text. It is copied token by token: a tree's own writer recurses as deep as it is. */
  public static String text(ObjectNode tree) {
    var text = new StringWriter();
    try (var parser = TREES.treeAsTokens(tree);
        var json = TREES.createGenerator(text)) {
      parser.nextToken();
      json.copyCurrentStructure(parser);
    } catch (IOException e) {
      throw new UncheckedIOException("a tree in memory", e);
    }
    return text.toString();
  }

  public static String of(Object value) {
    return JSON.asJson(value);
  }

  /** Definitions in YAML as a List. */
  public static String ofDefinitions(List<String> manifests) {
    var json = new KubernetesSerialization();
    var items = new ArrayList<HasMetadata>();
    manifests.forEach(yaml -> items.add(json.unmarshal(yaml, CustomResourceDefinition.class)));
    return of(new KubernetesListBuilder().withItems(items).build());
  }
}
