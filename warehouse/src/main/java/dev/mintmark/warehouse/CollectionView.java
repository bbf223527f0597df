package dev.mintmark.warehouse;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Quoted;
import dev.mintmark.warehouse.DerivedColumns.Derived;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The view of a collection: all columns of its table, followed by columns derived from the
 * identifier, which {@link DerivedColumns} lists.
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
    return DerivedColumns.of(
        collection.kind(), new IdExpressions(collection, namespace, schema, TABLE, dialect));
  }
}
