package dev.mintmark.warehouse;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The view of a collection: all columns of its table, followed by columns derived from the
 * identifier.
 *
 * <pre>
 *   COLUMN_text   ulid, uuidv7 and typeid stored as uuid, sequence stored as bigint   the text form
 *   COLUMN_uuid   ulid and typeid stored as text                                      the 128 bits
 *   COLUMN_time   ulid, uuidv7, typeid                                                the mint time
 *   COLUMN_puri   every kind                                                          the pURI
 * </pre>
 *
 * <p>A derived column is null if the identifier cannot be read, so that one malformed row does not
 * fail a query.
 *
 * @param namespace the namespace of the collection
 * @param collection a collection with a table
 * @param schema the schema of the functions and of the view
 * @param tables the schema of the table, if its declaration names no schema
 */
record CollectionView(String namespace, CollectionSpec collection, String schema, String tables) {
  /** The alias of the table in the view, because a column may have the name of the table. */
  private static final String TABLE = "t";

  /** A column derived from the identifier. */
  private record Derived(String suffix, String expression) {}

  /**
   * Returns the statement that creates the view.
   *
   * @throws IllegalArgumentException if the engine does not allow a name, or if the view would
   *     replace the table
   */
  String definition(Dialect dialect) {
    try {
      String view = dialect.in(schema, WarehouseScript.viewName(collection.name()));
      String table = table(dialect);
      if (view.equalsIgnoreCase(table)) {
        throw new IllegalArgumentException(
            "its view would replace its table " + table + ": choose another --schema");
      }
      String columns =
          derived(dialect).stream()
              .map(column -> ",\n  " + column.expression() + " as " + named(dialect, column))
              .collect(Collectors.joining());
      return WarehouseScript.comment(List.of(summary()))
          + dialect.createView(view)
          + ("select\n  " + TABLE + ".*" + columns + "\n")
          + ("from " + table + " as " + TABLE + ";\n");
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "collection " + Quoted.of(collection.name()) + ": " + e.getMessage(), e);
    }
  }

  private String summary() {
    return "%s: %s, stored as %s"
        .formatted(collection.name(), collection.kind().label(), collection.storage().label());
  }

  private String table(Dialect dialect) {
    String name = collection.table().orElseThrow();
    int dot = name.indexOf('.');
    return dot < 0
        ? dialect.in(tables, name)
        : dialect.in(Dialect.beside(tables, name.substring(0, dot)), name.substring(dot + 1));
  }

  private String named(Dialect dialect, Derived column) {
    return dialect.quoted(collection.column() + column.suffix());
  }

  private List<Derived> derived(Dialect dialect) {
    return new Expressions(dialect).derived();
  }

  /** The derived columns in the SQL of one engine. */
  private final class Expressions {
    private final Dialect dialect;
    private final String column;
    private final boolean isText;

    /** Whether the text of a number consists only of its digits, without prefix or padding. */
    private final boolean isPlain;

    Expressions(Dialect dialect) {
      this.dialect = dialect;
      this.column = TABLE + "." + dialect.quoted(collection.column());
      this.isText = collection.storage() == Kind.Storage.TEXT;
      this.isPlain = collection.prefix().isEmpty() && collection.width() == 0;
    }

    List<Derived> derived() {
      List<Derived> columns = new ArrayList<>();
      switch (collection.kind()) {
        case ULID -> {
          String uuid = isText ? tried(WarehouseFunction.ULID_UUID, column) : column;
          String text = tried(WarehouseFunction.ULID_TEXT, uuid);
          columns.add(isText ? new Derived("_uuid", uuid) : new Derived("_text", text));
          columns.add(time(uuid));
          columns.add(puri(text));
        }
        case UUIDV7 -> {
          if (!isText) {
            columns.add(new Derived("_text", tried(WarehouseFunction.ULID_TEXT, column)));
          }
          columns.add(time(column));
          columns.add(puri(uuidText()));
        }
        case UUIDV4 -> columns.add(puri(uuidText()));
        case TYPEID -> {
          String uuid = isText ? tried(WarehouseFunction.TYPEID_UUID, column) : column;
          String text = isText ? column : tried(WarehouseFunction.TYPEID_TEXT, prefix(), column);
          columns.add(isText ? new Derived("_uuid", uuid) : new Derived("_text", text));
          columns.add(time(uuid));
          columns.add(puri(isText ? ofOurPrefix() : text));
        }
        case SEQUENCE -> {
          if (!isText && !isPlain) {
            columns.add(new Derived("_text", numberText()));
          }
          columns.add(puri(numberText()));
        }
        case SNOWFLAKE -> columns.add(puri(isText ? column : numberText()));
        case NANOID, TEXT ->
            columns.add(puri(collection.caseSensitive() ? column : lowerAscii(column)));
      }
      return columns;
    }

    private Derived time(String uuid) {
      return new Derived("_time", tried(WarehouseFunction.ULID_TIME, uuid));
    }

    private Derived puri(String text) {
      return new Derived(
          "_puri",
          tried(WarehouseFunction.PURI, literal(namespace), literal(collection.name()), text));
    }

    /** The UUID as PostgreSQL writes it; null if a text column holds no UUID. */
    private String uuidText() {
      if (!isText) {
        return "lower(" + dialect.asText(column) + ")";
      }
      String ulid = tried(WarehouseFunction.ULID_TEXT, column);
      return dialect.asText(tried(WarehouseFunction.ULID_UUID, ulid));
    }

    /** The TypeID in a text column; null if its prefix is not the declared one. */
    private String ofOurPrefix() {
      String uuid = tried(WarehouseFunction.TYPEID_UUID, column);
      String text = tried(WarehouseFunction.TYPEID_TEXT, prefix(), uuid);
      return "case when " + text + " = " + column + " then " + column + " end";
    }

    /**
     * The text form of a number. {@code prefixed} has no {@code try_} variant and fails for a
     * negative number, so a negative number becomes null first.
     */
    private String numberText() {
      if (isText) {
        return shown(tried(WarehouseFunction.UNPREFIXED, prefix(), column));
      }
      return "case when " + column + " >= 0 then " + shown(column) + " end";
    }

    private String shown(String number) {
      String width = Integer.toString(collection.width());
      return isPlain
          ? dialect.asText(number)
          : call(WarehouseFunction.PREFIXED.label(), prefix(), number, width);
    }

    /**
     * The text with ASCII letters in lower case, as pURIs are compared. The {@code lower} of the
     * engines folds other letters too.
     */
    private static String lowerAscii(String text) {
      return "translate(" + text + ", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')";
    }

    private String prefix() {
      return literal(collection.prefix().orElse(""));
    }

    private String tried(WarehouseFunction function, String... arguments) {
      return call(function.tryName(), arguments);
    }

    private String call(String function, String... arguments) {
      return dialect.function(schema, function) + "(" + String.join(", ", arguments) + ")";
    }

    /** A name of the catalog as a string literal. No such name needs an escape in any engine. */
    private String literal(String name) {
      if (!name.matches("[A-Za-z0-9_-]*")) {
        throw new IllegalStateException("no name of a catalog: " + Quoted.of(name));
      }
      return "'" + name + "'";
    }
  }
}
