package dev.mintmark.warehouse;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The view of a collection: all columns of its table, and behind them what makes sense of its kind.
 *
 * <pre>
 *   COLUMN_text   ulid, uuidv7 and typeid kept as uuid, sequence kept as bigint   as people see it
 *   COLUMN_uuid   ulid and typeid kept as text                                    the 128 bits
 *   COLUMN_time   ulid, uuidv7, typeid                                            when it was minted
 *   COLUMN_puri   every kind                                                      its pURI
 * </pre>
 *
 * <p>What cannot be read is null there, so that one bad row does not fail a query.
 *
 * @param namespace the namespace of the collection
 * @param collection one that has a table
 * @param schema where the functions are and the view goes
 * @param tables where the table is, if its declaration names no schema
 */
record CollectionView(String namespace, CollectionSpec collection, String schema, String tables) {
  /** The table in the view: a column may be called as the table is. */
  private static final String TABLE = "t";

  /** A column behind those of the table. */
  private record Derived(String suffix, String expression) {}

  /**
   * The statement that makes it.
   *
   * @throws IllegalArgumentException if a name cannot be one of the engine, or the view would take
   *     the place of the table
   */
  String definition(Dialect dialect) {
    try {
      String view = dialect.in(schema, WarehouseScript.viewName(collection.name()));
      String table = table(dialect);
      if (view.equalsIgnoreCase(table)) {
        throw new IllegalArgumentException(
            "its view would take the place of its table " + table + ": choose another --schema");
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
    return "%s: %s, kept as %s"
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

  /** What the columns are, in the words of one engine. */
  private final class Expressions {
    private final Dialect dialect;
    private final String column;
    private final boolean isText;

    /** Of a number: whether its text is its digits alone. */
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

    /** As PostgreSQL writes one, whoever wrote this; of a text that is none null. */
    private String uuidText() {
      if (!isText) {
        return "lower(" + dialect.asText(column) + ")";
      }
      String ulid = tried(WarehouseFunction.ULID_TEXT, column);
      return dialect.asText(tried(WarehouseFunction.ULID_UUID, ulid));
    }

    /** The TypeID that a column of texts holds, if it is of the type that is declared. */
    private String ofOurPrefix() {
      String uuid = tried(WarehouseFunction.TYPEID_UUID, column);
      String text = tried(WarehouseFunction.TYPEID_TEXT, prefix(), uuid);
      return "case when " + text + " = " + column + " then " + column + " end";
    }

    /**
     * A number as it is shown. That function reads nothing, and so has none that tries; yet it
     * refuses what is below zero, which a text cannot say.
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

    /** In the lower case that pURIs are compared in: that of engines folds other letters too. */
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

    /** A name of the catalog, none of which needs an escape in any engine. */
    private String literal(String name) {
      if (!name.matches("[A-Za-z0-9_-]*")) {
        throw new IllegalStateException("no name of a catalog: " + Quoted.of(name));
      }
      return "'" + name + "'";
    }
  }
}
