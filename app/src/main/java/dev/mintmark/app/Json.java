package dev.mintmark.app;

import java.io.PrintWriter;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** How everything we say in JSON is written, on the command line and over HTTP alike. */
final class Json {
  /** Snake case; what is not there is null, never left out; an unknown key is an error. */
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private Json() {}

  /** Writes a value as a command's result. */
  static void print(PrintWriter out, Object value) {
    out.println(MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value));
    out.flush();
  }
}
