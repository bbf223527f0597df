package dev.mintmark.warehouse;

import dev.mintmark.Quoted;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How an engine writes what every script has. */
interface Dialect {
  /** Parts of a path at most: what a schema is in, and the schema. */
  int PATH_PARTS_MAX = 2;

  /** Characters of a name at most. */
  int NAME_LENGTH_MAX = 255;

  /** How the script is run, line by line. */
  List<String> instructions();

  /**
   * Quotes one name: a schema, a table or a column, as the engine keeps it.
   *
   * @throws IllegalArgumentException if it cannot be a name there
   */
  String quoted(String name);

  /** All functions, each with its comment; the schema is there. */
  String functions(String schema);

  /** What the engine calls a text. */
  String textType();

  /** The name by which a statement calls a function, {@code ulid_text}, of the schema. */
  default String function(String schema, String name) {
    return path(schema) + "." + name;
  }

  /** The text of an expression that is a number or a UUID. */
  default String asText(String expression) {
    return "cast(" + expression + " as " + textType() + ")";
  }

  /** What stands before the name of a view that is made or replaced. */
  default String createView(String view) {
    return "create or replace view " + view + " as\n";
  }

  /**
   * Quotes a schema, with what it is in and a dot before it where it says so.
   *
   * @throws IllegalArgumentException if it is no such name
   */
  default String path(String schema) {
    String[] parts = schema.split("\\.", -1);
    if (parts.length > PATH_PARTS_MAX) {
      throw new IllegalArgumentException(
          "malformed schema name "
              + Quoted.of(schema)
              + ": expected at most "
              + PATH_PARTS_MAX
              + " names with a dot between them");
    }
    return Stream.of(parts).map(this::quoted).collect(Collectors.joining("."));
  }

  /** The path of a schema in what another one is in. */
  static String beside(String schema, String name) {
    return schema.substring(0, schema.lastIndexOf('.') + 1) + name;
  }

  /** Quotes the name of something in a schema. */
  default String in(String schema, String name) {
    return path(schema) + "." + quoted(name);
  }

  /**
   * Returns {@code name} if no engine takes offence at it.
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
              + " characters, none a control character");
    }
    return name;
  }
}
