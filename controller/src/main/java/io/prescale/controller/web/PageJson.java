package io.prescale.controller.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Replaces;
import jakarta.inject.Singleton;

/** Has Micronaut write JSON as the page expects it. */
@Factory
final class PageJson {
  @Singleton
  @Replaces(ObjectMapper.class)
  ObjectMapper mapper() {
    return Json.MAPPER;
  }
}
