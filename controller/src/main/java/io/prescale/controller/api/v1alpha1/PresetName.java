package io.prescale.controller.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** The model servers with a preset. */
public enum PresetName {
  @JsonProperty("vllm")
  VLLM,
  @JsonProperty("triton")
  TRITON,
  @JsonProperty("tgi")
  TGI,
  @JsonProperty("sglang")
  SGLANG,
  @JsonProperty("nim")
  NIM,
  @JsonProperty("dcgm")
  DCGM;

  /** The name as users write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
