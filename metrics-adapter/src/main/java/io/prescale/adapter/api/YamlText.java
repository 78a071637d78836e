package io.prescale.adapter.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.util.StringQuotingChecker;
import java.util.regex.Pattern;

/** Writes a document as block-style YAML with sorted names, as {@code sigs.k8s.io/yaml} does. */
final class YamlText {
  private static final ObjectWriter YAML =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .disable(Feature.SPLIT_LINES, Feature.WRITE_DOC_START_MARKER)
                  .enable(Feature.ALLOW_LONG_KEYS, Feature.MINIMIZE_QUOTES)
                  .stringQuotingChecker(new UnlessPlain())
                  .build())
          .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
          .build()
          .writer();

  private YamlText() {}

  static String of(JsonNode document) {
    try {
      return YAML.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree can always be written", e);
    }
  }

  /** Quotes every string that a reader of YAML 1.1 could take for another type. */
  private static final class UnlessPlain extends StringQuotingChecker {
    private static final long serialVersionUID = 1;
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_./-]*");

    @Override
    public boolean needToQuoteName(String name) {
      return isReservedKeyword(name) || !PLAIN.matcher(name).matches();
    }

    @Override
    public boolean needToQuoteValue(String value) {
      return needToQuoteName(value);
    }
  }
}
