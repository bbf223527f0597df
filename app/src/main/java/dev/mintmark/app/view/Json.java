package dev.mintmark.app.view;

import java.io.PrintWriter;
import java.util.List;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MutableCoercionConfig;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** How everything we say in JSON is written, on the command line and over HTTP alike. */
public final class Json {
  /** Bytes of a document that is read: the largest is a text to inspect, with its escapes. */
  public static final int DOCUMENT_BYTES_MAX = 2 << 20;

  /** What is not converted to another type. A whole number may be read as a number. */
  private static final List<CoercionInputShape> SCALARS =
      List.of(
          CoercionInputShape.Boolean,
          CoercionInputShape.Integer,
          CoercionInputShape.Float,
          CoercionInputShape.String,
          CoercionInputShape.EmptyString);

  /**
   * Snake case; what is not there is null, never left out. Read is strictly: an unknown key, a key
   * that is declared twice, a fraction for a whole number, or a text, number or boolean for another
   * type is an error.
   */
  public static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxDocumentLength(DOCUMENT_BYTES_MAX).build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .build())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .withCoercionConfig(LogicalType.Textual, Json::coerceNothing)
          .withCoercionConfig(LogicalType.Integer, Json::coerceNothing)
          .withCoercionConfig(LogicalType.Boolean, Json::coerceNothing)
          .build();

  private Json() {}

  private static void coerceNothing(MutableCoercionConfig config) {
    for (CoercionInputShape shape : SCALARS) {
      config.setCoercion(shape, CoercionAction.Fail);
    }
  }

  /** Writes a value as a command's result. */
  public static void print(PrintWriter out, Object value) {
    out.println(MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT).writeValueAsString(value));
    out.flush();
  }
}
