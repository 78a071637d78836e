package io.prescale.controller.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;

/** A page of cards as JSON: what an extender answers, and what the page reads. */
public final class GpuDocument {
  /** Where an extender has it; parameters are those of {@link GpusView.Query}. */
  public static final String PATH = "/cards";

  private GpuDocument() {}

  /** The page as JSON, as an extender answers with it. */
  public static String write(GpuPage page) {
    try {
      return Json.MAPPER.writeValueAsString(page);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a page of cards cannot be written", e);
    }
  }

  /**
   * Reads it back; fields of later versions are passed by.
   *
   * @throws IOException with a sentence, if it is none
   */
  public static GpuPage read(byte[] json) throws IOException {
    return Json.read(GpuPage.class, json);
  }
}
