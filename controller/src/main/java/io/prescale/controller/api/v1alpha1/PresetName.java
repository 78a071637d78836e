package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The model servers and gateways with a preset. */
public enum PresetName {
  VLLM,
  TRITON,
  TGI,
  SGLANG,
  NIM,
  DCGM,
  LLM_D,
  HTTP_ADD_ON;

  /** The name as users write it: {@code LLAMA_CPP} would be {@code llama-cpp}. */
  @JsonValue
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
