package dev.mintmark.warehouse;

import dev.mintmark.Quoted;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The SQL dialect of an engine: the parts that every script has. */
interface Dialect {
  /** The most parts of a path: the container of a schema, and the schema. */
  int PATH_PARTS_MAX = 2;

  /** The most characters of a name. */
  int NAME_LENGTH_MAX = 255;

  /** Returns the lines of a comment that explains how to run the script. */
  List<String> instructions();

  /**
   * Quotes one name: a schema, a table or a column, as the engine stores it.
   *
   * @throws IllegalArgumentException if the engine does not allow the name
   */
  String quoted(String name);

  /** Returns the statements that create all functions, with comments. The schema exists. */
  String functions(String schema);

  /** Returns the name of the text type. */
  String textType();

  /** Returns the name by which a statement calls a function of the schema, {@code ulid_text}. */
  default String function(String schema, String name) {
    return path(schema) + "." + name;
  }

  /** Returns an expression for the text of a number or a UUID. */
  default String asText(String expression) {
    return "cast(" + expression + " as " + textType() + ")";
  }

  /**
   * Returns an expression for some bits of a bigint, as a number.
   *
   * @param shift the number of bits after them
   * @param mask as many ones as there are bits, at most 5
   */
  default String bits(String bigint, int shift, int mask) {
    return "(" + bigint + " >> " + shift + " & " + mask + ")";
  }

  /** Returns whether a UUID may be 16 bytes, of which {@link #asText} is not the text. */
  default boolean hasUuidsOfBytes() {
    return false;
  }

  /** Returns the start of the statement that creates or replaces a view. */
  default String createView(String view) {
    return "create or replace view " + view + " as\n";
  }

  /**
   * Quotes the name of a schema, which may have the name of its container and a dot before it.
   *
   * @throws IllegalArgumentException if it is not such a name
   */
  default String path(String schema) {
    String[] parts = schema.split("\\.", -1);
    if (parts.length > PATH_PARTS_MAX) {
      throw new IllegalArgumentException(
          "malformed schema name "
              + Quoted.of(schema)
              + ": expected at most "
              + PATH_PARTS_MAX
              + " names separated by a dot");
    }
    return Stream.of(parts).map(this::quoted).collect(Collectors.joining("."));
  }

  /** Returns the path of the schema {@code name} in the container of another schema. */
  static String beside(String schema, String name) {
    return schema.substring(0, schema.lastIndexOf('.') + 1) + name;
  }

  /** Quotes the name of an object in a schema. */
  default String in(String schema, String name) {
    return path(schema) + "." + quoted(name);
  }

  /**
   * Returns {@code name} if every engine allows it.
   *
   * @throws IllegalArgumentException if it is empty, too long, or has control characters
   */
  static String checked(String name) {
    boolean malformed =
        name.isEmpty()
            || name.length() > NAME_LENGTH_MAX
            || name.codePoints()
                .anyMatch(
                    c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
    if (malformed) {
      throw new IllegalArgumentException(
          "malformed name "
              + Quoted.of(name)
              + ": expected 1 to "
              + NAME_LENGTH_MAX
              + " characters without control characters");
    }
    return name;
  }
}
