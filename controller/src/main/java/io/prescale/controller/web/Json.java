package io.prescale.controller.web;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** Records as JSON: times in RFC 3339, what is unknown as null. */
final class Json {
  static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .addModule(new Jdk8Module())
          .addModule(values())
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE)
          .build();

  /** The same, and refuses what lacks a text, a time or its totals, unless they may be null. */
  private static final ObjectMapper READER = reader();

  private Json() {}

  private static ObjectMapper reader() {
    var reader = MAPPER.copy();
    for (var type : List.of(String.class, Instant.class, GpuPage.Totals.class)) {
      reader.configOverride(type).setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.FAIL));
    }
    return reader;
  }

  static <T> T read(Class<T> type, byte[] json) throws IOException {
    T value;
    try {
      value = READER.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new IOException("this is not what was asked for: " + e.getOriginalMessage(), e);
    }
    if (value == null) {
      throw new IOException("this is not what was asked for: null");
    }
    return value;
  }

  private static SimpleModule values() {
    var module = new SimpleModule();
    module.addSerializer(double.class, new Unknowable());
    module.addSerializer(Double.class, new Unknowable());
    module.addSerializer(new Optionals());
    return module;
  }

  private static final class Optionals extends StdSerializer<OptionalDouble> {
    private static final long serialVersionUID = 1;

    Optionals() {
      super(OptionalDouble.class);
    }

    @Override
    public void serialize(OptionalDouble value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      Unknowable.write(value.orElse(Double.NaN), json);
    }
  }

  /** Four digits after the point are more than a page shows. */
  private static final class Unknowable extends StdSerializer<Double> {
    private static final long serialVersionUID = 1;
    private static final double PLACES = 1e4;
    private static final double LARGE = 1e12;

    Unknowable() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      write(value, json);
    }

    static void write(double number, JsonGenerator json) throws IOException {
      if (!Double.isFinite(number)) {
        json.writeNull();
      } else if (number == Math.rint(number) && Math.abs(number) < LARGE) {
        json.writeNumber((long) number);
      } else {
        json.writeNumber(Math.abs(number) < LARGE ? Math.rint(number * PLACES) / PLACES : number);
      }
    }
  }
}
