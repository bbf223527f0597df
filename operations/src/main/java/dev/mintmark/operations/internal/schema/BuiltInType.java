package dev.mintmark.operations.internal.schema;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The built-in types that identifiers and the times of rows are stored in. */
public enum BuiltInType {
  SMALLINT("int2", "smallint", Short.BYTES),
  INTEGER("int4", "integer", Integer.BYTES),
  BIGINT("int8", "bigint", Long.BYTES),
  UUID("uuid", "uuid", 16),
  TEXT("text", "text", 0),
  VARCHAR("varchar", "character varying", 0),
  CHAR("bpchar", "character", 0),
  TIMESTAMPTZ("timestamptz", "timestamp with time zone", 8),
  TIMESTAMP("timestamp", "timestamp without time zone", 8),
  DATE("date", "date", 4),
  /** Any other type. */
  OTHER("", "", 0);

  private static final Map<String, BuiltInType> BY_LABEL =
      Arrays.stream(values()).collect(Collectors.toMap(BuiltInType::label, Function.identity()));

  private final String label;
  private final String sql;
  private final int bytes;

  BuiltInType(String label, String sql, int bytes) {
    this.label = label;
    this.sql = sql;
    this.bytes = bytes;
  }

  /** Returns the type of a name of {@code pg_type}; {@link #OTHER} of any other name. */
  static BuiltInType of(String label) {
    return BY_LABEL.getOrDefault(label, OTHER);
  }

  /** Returns its name in {@code pg_type}: {@code int4}. Empty for {@link #OTHER}. */
  public String label() {
    return label;
  }

  /** Returns its name in statements: {@code integer}. Empty for {@link #OTHER}. */
  public String sql() {
    return sql;
  }

  public boolean isInteger() {
    return this == SMALLINT || this == INTEGER || this == BIGINT;
  }

  public boolean isText() {
    return this == TEXT || this == VARCHAR || this == CHAR;
  }

  public boolean isTime() {
    return this == TIMESTAMPTZ || this == TIMESTAMP || this == DATE;
  }

  /** Returns the size of a value in bytes; 0 if values differ in size. */
  public int bytes() {
    return bytes;
  }

  /** Returns the greatest value of an integer type. */
  public long max() {
    return switch (this) {
      case SMALLINT -> Short.MAX_VALUE;
      case INTEGER -> Integer.MAX_VALUE;
      case BIGINT -> Long.MAX_VALUE;
      default -> throw new IllegalStateException(this + " is not an integer type");
    };
  }
}
