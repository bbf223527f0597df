package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The table, the scope, the conditions and the order of pages. Cursors are bound to them.
 *
 * @param table the name of the table, with or without its schema
 * @param scope the columns that are each compared with one value
 * @param conditions what all rows fulfil
 * @param references the columns that are equal to keys of joined tables
 */
record PageDefinition(
    String table,
    List<String> scope,
    PageOrder order,
    List<RowCondition> conditions,
    List<String> references) {
  /** The maximum number of columns of a scope. */
  static final int SCOPE_MAX = 8;

  PageDefinition {
    SqlName.quotedTable(table);
    scope = List.copyOf(scope);
    conditions = List.copyOf(conditions);
    references = List.copyOf(references);
    scope.forEach(SqlName::quoted);
    if (scope.size() > SCOPE_MAX || Set.copyOf(scope).size() < scope.size()) {
      throw new IllegalArgumentException(
          "scope %s: expected at most %s different columns".formatted(scope, SCOPE_MAX));
    }
    for (PageOrder.Key key : order.keys()) {
      if (scope.contains(key.column())) {
        throw new IllegalArgumentException(
            "column %s is in the scope and in the order".formatted(Quoted.of(key.column())));
      }
    }
  }

  /** Pages without conditions and joins. */
  PageDefinition(String table, List<String> scope, PageOrder order) {
    this(table, scope, order, List.of(), List.of());
  }

  /** Checks that a request has a value for each column of the scope, and no other values. */
  void requireScope(PageRequest request) {
    if (!request.scope().keySet().equals(Set.copyOf(scope))) {
      throw new IllegalArgumentException(
          "scope: values for columns %s: expected one for each of %s"
              .formatted(request.scope().keySet(), scope));
    }
  }

  /** Reads the description of the table from the catalog of the database. */
  PageTable readTable(Connection connection, PageOrder read) throws SQLException {
    List<String> keys = read.keys().stream().map(PageOrder.Key::column).toList();
    Set<String> used = new LinkedHashSet<>(scope);
    used.addAll(keys);
    order.keys().forEach(key -> used.add(key.column()));
    conditions.forEach(condition -> used.add(condition.column()));
    used.addAll(references);
    List<String> unique = new ArrayList<>(scope);
    unique.addAll(keys);
    List<String> trusted = read instanceof PageOrder.MintedId minted ? minted.trusted() : List.of();
    return PageTable.read(connection, table, List.copyOf(used), unique, trusted);
  }

  /** Checks what the order requires of the table, as {@link KeysetPages#checkTable} says. */
  void checkTable(Connection connection) throws SQLException {
    try {
      checkTable(connection, order);
    } catch (PageRefusedException e) {
      if (!(order instanceof PageOrder.MintedId minted)
          || minted.xid().isEmpty()
          || e.condition() == PageRefusedException.Condition.TABLE) {
        throw e;
      }
      checkTable(connection, PageOrder.byTransaction(minted.xid().get(), minted.id()));
    }
  }

  private void checkTable(Connection connection, PageOrder read) throws SQLException {
    PageTable found = readTable(connection, read);
    if (read instanceof PageOrder.MintedId minted) {
      found.requireMinted(minted.id());
    } else if (read instanceof PageOrder.Transaction transaction) {
      found.requireStamped(transaction.xid());
    } else if (read instanceof PageOrder.Window window) {
      found.requireStamped(window.xid());
    }
    found.requireOrdered(read.keys());
  }

  /** Returns the conditions for the rows of a scope, and of the pages. */
  List<SqlFragment> scopeConditions(PageTable found, PageRequest request) {
    List<SqlFragment> all = new ArrayList<>();
    for (String column : scope) {
      all.add(
          SqlFragment.of(
              "%s %s ?::%s"
                  .formatted(
                      SqlName.quoted(column), found.operator(column, "="), found.type(column)),
              found.bindable(column, valueOf(request, column))));
    }
    conditions.forEach(condition -> all.add(condition.sql(found)));
    return all;
  }

  /** Returns a text that is unique to these rows and this order, for {@link Cursors}. */
  String identity(List<String> resolvedTables, PageRequest request) {
    List<String> parts = new ArrayList<>();
    parts.add(order.getClass().getSimpleName());
    parts.add(Integer.toString(order.keys().size()));
    for (PageOrder.Key key : order.keys()) {
      parts.add(key.column());
      parts.add(key.descending() ? "desc" : "asc");
    }
    parts.add(Integer.toString(scope.size()));
    for (String column : scope) {
      parts.add(column);
      parts.add(PageRequest.identity(valueOf(request, column)));
    }
    if (!conditions.isEmpty()) { // Without them as in earlier releases, whose cursors continue.
      parts.add("where");
      parts.add(Integer.toString(conditions.size()));
      conditions.forEach(condition -> parts.addAll(condition.identity()));
    }
    parts.addAll(resolvedTables);
    // With their lengths, so that different lists of parts have different texts.
    return parts.stream().map(part -> part.length() + ":" + part).collect(Collectors.joining(","));
  }

  /** Returns the statements that create the indexes with which every page is an index scan. */
  List<String> indexStatements() {
    List<String> statements = new ArrayList<>();
    statements.add(indexStatement(order.keys()));
    if (order instanceof PageOrder.MintedId minted) {
      minted
          .xid()
          .ifPresent(
              xid ->
                  statements.add(indexStatement(PageOrder.byTransaction(xid, minted.id()).keys())));
    }
    return List.copyOf(statements);
  }

  private String indexStatement(List<PageOrder.Key> keys) {
    List<String> columns = new ArrayList<>();
    scope.forEach(column -> columns.add(SqlName.quoted(column)));
    keys.forEach(
        key -> columns.add(SqlName.quoted(key.column()) + (key.descending() ? " desc" : "")));
    return "create index concurrently on %s (%s)"
        .formatted(SqlName.quotedTable(table), String.join(", ", columns));
  }

  private static Object valueOf(PageRequest request, String column) {
    Object value = request.scope().get(column);
    if (value == null) {
      throw new IllegalStateException("no value for " + Quoted.of(column));
    }
    return value;
  }
}
