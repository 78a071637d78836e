package io.prescale.controller.web;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A page of cards as JSON: what an extender tells, and what whoever shows it reads. */
public final class GpuDocument {
  /** Where an extender has it; parameters are those of {@link GpusView.Query}. */
  public static final String PATH = "/cards";

  private GpuDocument() {}

  /**
   * What a request asks for.
   *
   * @param parameters after the question mark, as sent
   * @throws IllegalArgumentException with a sentence, if it makes no sense
   */
  public static GpusView.Query query(@Nullable String parameters) {
    return GpusView.Query.of(QueryString.parameters(parameters));
  }

  /** The page as JSON. */
  public static String write(GpuPage page) {
    return Json.of(page);
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
