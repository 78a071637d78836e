package io.prescale.placement.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageNamesTest {

  @ParameterizedTest
  @CsvSource({
    "nginx, docker.io/library/nginx:latest",
    "nginx:1.27, docker.io/library/nginx:1.27",
    "vllm/vllm-openai:v0.11, docker.io/vllm/vllm-openai:v0.11",
    "docker.io/vllm/vllm-openai, docker.io/vllm/vllm-openai:latest",
    "localhost/model, localhost/model:latest",
    "registry:5000/a/b, registry:5000/a/b:latest",
    "nvcr.io/nvidia/x@sha256:ab, nvcr.io/nvidia/x@sha256:ab",
    "nvcr.io/nvidia/x:1@sha256:ab, nvcr.io/nvidia/x:1@sha256:ab"
  })
  void anImageHasOneName(String written, String canonical) {
    assertThat(ImageNames.canonical(written)).isEqualTo(canonical);
  }

  @Test
  void aNameThatIsCanonicalCostsNoMemory() {
    var listed = "nvcr.io/nvidia/tritonserver:25.10-py3";

    assertThat(ImageNames.canonical(listed)).isSameAs(listed);
    assertThat(ImageNames.canonical("")).isEqualTo("docker.io/library/:latest");
  }
}
