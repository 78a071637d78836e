package io.prescale.controller.cli.place;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file with Kubernetes' objects: YAML of one or several documents, or JSON. */
record ObjectsFile(Path path) {
  private static final long MOST_BYTES = 512L << 20;

  /** Reads every object, those of Lists one by one; there is at least one. */
  List<HasMetadata> read() throws InputException {
    try {
      if (Files.size(path) > MOST_BYTES) {
        throw problem("is larger than 512 MiB");
      }
      List<HasMetadata> all;
      try (var in = Files.newInputStream(path)) {
        all = objects(new KubernetesSerialization().unmarshal(in)).toList();
      }
      if (all.isEmpty()) {
        throw notObjects();
      }
      return all;
    } catch (IOException e) {
      throw problem("cannot be read");
    } catch (RuntimeException _) { // what parsers say quotes the file, and so perhaps a secret
      throw notObjects();
    }
  }

  private Stream<HasMetadata> objects(@Nullable Object read) throws InputException {
    return switch (read) {
      case Collection<?> several -> each(several);
      case KubernetesResourceList<?> list -> each(list.getItems());
      case HasMetadata object when object.getKind() != null && object.getMetadata() != null ->
          Stream.of(object);
      case null, default -> throw notObjects();
    };
  }

  private Stream<HasMetadata> each(Collection<?> several) throws InputException {
    Stream<HasMetadata> all = Stream.empty();
    for (var one : several) {
      all = Stream.concat(all, objects(one));
    }
    return all;
  }

  private InputException notObjects() {
    return problem("is no Kubernetes object in YAML or JSON, with kind and metadata");
  }

  private InputException problem(String what) {
    return new InputException(Fault.UNUSABLE, "%s %s.".formatted(path, what));
  }
}
