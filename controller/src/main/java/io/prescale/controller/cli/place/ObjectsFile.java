package io.prescale.controller.cli.place;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.prescale.controller.input.InputException;
import io.prescale.controller.input.InputException.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file with Kubernetes' objects: YAML of one or several documents, or JSON. */
record ObjectsFile(Path path) {
  static final long MOST_BYTES = 512L << 20;

  /** Reads every object, those of Lists one by one; there is at least one. */
  List<HasMetadata> read() throws InputException {
    try {
      if (Files.size(path) > MOST_BYTES) {
        throw problem("is larger than 512 MiB");
      }
      List<HasMetadata> all;
      try (var in = Files.newInputStream(path)) {
        all = objects(new KubernetesSerialization().unmarshal(in));
      }
      if (all.isEmpty()) {
        throw notObjects();
      }
      return all;
    } catch (NoSuchFileException e) {
      throw new InputException(Fault.UNREACHABLE, path + ": there is no such file.", e);
    } catch (IOException e) {
      throw new InputException(Fault.UNREACHABLE, path + ": cannot be read.", e);
    } catch (RuntimeException | StackOverflowError _) { // of deep nesting
      // What parsers say quotes the file, and so perhaps a secret.
      throw notObjects();
    }
  }

  private List<HasMetadata> objects(@Nullable Object read) throws InputException {
    return switch (read) {
      case Collection<?> several -> each(several);
      case KubernetesResourceList<?> list -> each(list.getItems());
      case HasMetadata object when object.getKind() != null && hasName(object) -> List.of(object);
      case null, default -> throw notObjects();
    };
  }

  private static boolean hasName(HasMetadata object) {
    return object.getMetadata() != null
        && object.getMetadata().getName() != null
        && !object.getMetadata().getName().isBlank();
  }

  private List<HasMetadata> each(Collection<?> several) throws InputException {
    var all = new ArrayList<HasMetadata>();
    for (var one : several) {
      all.addAll(objects(one));
    }
    return all;
  }

  private InputException notObjects() {
    return problem(
        "has no Kubernetes objects with kind and name: it takes JSON, or YAML of at most 3 MB that"
            + " does not begin with a brace");
  }

  private InputException problem(String what) {
    return new InputException(Fault.UNUSABLE, "%s %s.".formatted(path, what));
  }
}
