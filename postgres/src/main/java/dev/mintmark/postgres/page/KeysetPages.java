package dev.mintmark.postgres.page;

import dev.mintmark.Keyring;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keyset pages of a table: each page begins after the last row of the page before. An index finds
 * that row in the same time at any depth.
 *
 * <p>In the orders whose {@link Guarantee} is {@code GAP_FREE}, a client that continues from page
 * to page, and polls at the end, gets every row of the scope exactly once, although transactions
 * commit in another order than they began. {@link PageOrder} explains why, and lists the
 * conditions. If a condition does not hold, a page is refused instead of read with gaps.
 *
 * <p>Rows that are deleted, or whose scope changes, before they are read are not returned.
 *
 * <p>Immutable; safe for use by many threads.
 *
 * <pre>{@code
 * KeysetPages<String> names =
 *     KeysetPages.of("incidents")
 *         .scopedBy("organisation_id")
 *         .orderedBy(PageOrder.byMintedId("id"))
 *         .signedWith(keyring)
 *         .reading(List.of("name"), row -> row.getString("name"));
 *
 * Page<String> page = names.read(dataSource, PageRequest.first(25).in("organisation_id", organisation));
 * Page<String> next =
 *     names.read(dataSource, PageRequest.after(page.after(), 25).in("organisation_id", organisation));
 * }</pre>
 *
 * @param <T> the type of the value that is read from a row
 */
public final class KeysetPages<T> {
  /** The maximum number of characters of a cursor: letters, digits, {@code -} and {@code _}. */
  public static final int CURSOR_LENGTH_MAX = Cursors.LENGTH_MAX;

  /** The maximum number of columns of a scope. */
  public static final int SCOPE_MAX = PageDefinition.SCOPE_MAX;

  private final PageDefinition definition;
  private final Cursors cursors;
  private final AfterFailover afterFailover;
  private final PageColumns<T> columns;

  private KeysetPages(
      PageDefinition definition,
      Cursors cursors,
      AfterFailover afterFailover,
      PageColumns<T> columns) {
    this.definition = definition;
    this.cursors = cursors;
    this.afterFailover = afterFailover;
    this.columns = columns;
  }

  /**
   * Returns a builder for pages of a table.
   *
   * @param table the name of the table, after its schema and a dot, or alone if it is on the search
   *     path
   */
  public static Builder of(String table) {
    return new Builder(table);
  }

  /** A builder of pages; not safe for use by many threads. */
  public static final class Builder {
    private final String table;
    private List<String> scope = List.of();
    private final List<RowCondition> conditions = new ArrayList<>();
    private final List<PageJoin> joins = new ArrayList<>();
    private Optional<PageOrder> order = Optional.empty();
    private Optional<Keyring> keyring = Optional.empty();
    private AfterFailover afterFailover = AfterFailover.REFUSE;

    private Builder(String table) {
      this.table = table;
    }

    /** Sets the columns for which each request must give a value. Default: none. */
    public Builder scopedBy(String... columns) {
      scope = Arrays.asList(columns);
      return this;
    }

    /**
     * Adds a condition that all rows fulfil. Cursors are bound to all conditions, in their order.
     * An index need not contain the column: rows that do not fulfil the condition are skipped.
     */
    public Builder where(RowCondition condition) {
      conditions.add(condition);
      return this;
    }

    /**
     * Adds columns of another table. They do not change which rows a page has. Cursors are not
     * bound to them.
     */
    public Builder joining(PageJoin join) {
      joins.add(join);
      return this;
    }

    /** Sets the order, which determines the guarantee. Required. */
    public Builder orderedBy(PageOrder order) {
      this.order = Optional.of(order);
      return this;
    }

    /** Sets the keyring. Its newest key signs cursors, and all its keys verify them. Required. */
    public Builder signedWith(Keyring keyring) {
      this.keyring = Optional.of(keyring);
      return this;
    }

    /**
     * Sets what happens to cursors after a failover or a restore. Default: {@link
     * AfterFailover#REFUSE}. Cursors are not bound to it. Without effect in orders that do not
     * count transactions.
     */
    public Builder afterFailover(AfterFailover afterFailover) {
      this.afterFailover = afterFailover;
      return this;
    }

    /**
     * Returns pages of these columns.
     *
     * @param columns one or more columns; they need not be those of the order
     * @param reader reads a value from these columns
     * @throws IllegalStateException if the order or the keyring is missing
     * @throws IllegalArgumentException if a name is malformed, a column is in both scope and order,
     *     a join has no key or no columns, two columns are read under one name, or {@link
     *     AfterFailover#TRUST} is set for an order by window
     */
    public <T> KeysetPages<T> reading(List<String> columns, RowReader<T> reader) {
      List<String> names = List.copyOf(columns);
      names.forEach(SqlName::quoted);
      if (names.isEmpty()) {
        throw new IllegalArgumentException("pages of \"" + table + "\": expected columns to read");
      }
      PageDefinition definition =
          new PageDefinition(
              table,
              scope,
              required(order, "an order"),
              conditions,
              joins.stream().flatMap(join -> join.references().stream()).toList());
      requireTrustable(definition.order());
      Cursors cursors = new Cursors(required(keyring, "a keyring to sign cursors with"));
      return new KeysetPages<>(
          definition, cursors, afterFailover, new PageColumns<>(names, joins, reader));
    }

    private void requireTrustable(PageOrder order) {
      if (order instanceof PageOrder.Window && afterFailover == AfterFailover.TRUST) {
        throw new IllegalArgumentException(
            "pages of \"%s\": pages by window cannot trust a failover: they count transactions that wrote nothing, whose ids are assigned again: order by transaction, or start from the first page"
                .formatted(table));
      }
    }

    private <V> V required(Optional<V> value, String what) {
      return value.orElseThrow(
          () -> new IllegalStateException("pages of \"" + table + "\": expected " + what));
    }
  }

  /** Returns the name of the table, as it was declared. */
  public String table() {
    return definition.table();
  }

  /** Returns the order, as it was declared. */
  public PageOrder order() {
    return definition.order();
  }

  /**
   * Checks what the order requires of the table and its columns, and joins of other tables, without
   * reading rows: at the start of a program, for example. If {@link
   * PageOrder.MintedId#orByTransaction} is declared, one of the two orders must fit the table.
   *
   * <p>Conditions that may change at any time are not checked: whether the server is a primary,
   * prepared transactions, other sessions. Each page checks all conditions again.
   *
   * @throws PageRefusedException if the table or a column is missing or does not fit ({@code
   *     TABLE}), ids come from elsewhere ({@code SERVER_MINTED}), or rows are not stamped ({@code
   *     STAMPED_HERE})
   */
  public void checkTable(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      definition.checkTable(connection);
      for (PageJoin join : columns.joins()) {
        join.check(connection);
      }
    }
  }

  /**
   * Reads a page in its own read-only transaction, at isolation level {@code read committed}.
   *
   * @throws CursorException if the cursor of the request does not belong to these pages, or cannot
   *     be used on this server
   * @throws PageRefusedException if a condition of the order does not hold
   * @throws IllegalArgumentException if the request does not have exactly the values of the scope
   */
  public Page<T> read(DataSource dataSource, PageRequest request) throws SQLException {
    ConnectionReader<T> reader = reader(request);
    try (PageTransaction transaction = PageTransaction.begin(dataSource)) {
      return transaction.finish(reader.read(transaction.connection()));
    }
  }

  /**
   * Reads a page in the caller's transaction, or in its own if the connection is in auto-commit
   * mode. Some orders restrict the transaction. In the order {@link PageOrder.MintedId} a page does
   * not contain rows that were minted after the transaction began, so do not poll in a long
   * transaction.
   *
   * @throws CursorException as {@link #read(DataSource, PageRequest)}
   * @throws PageRefusedException as {@link #read(DataSource, PageRequest)}
   * @throws IllegalArgumentException as {@link #read(DataSource, PageRequest)}
   */
  public Page<T> read(Connection connection, PageRequest request) throws SQLException {
    ConnectionReader<T> reader = reader(request);
    if (!connection.getAutoCommit()) {
      return reader.read(connection);
    }
    try (PageTransaction transaction = PageTransaction.begin(connection)) {
      return transaction.finish(reader.read(connection));
    }
  }

  /**
   * Returns which open transactions hold pages of this order back now, and for how long. If {@link
   * PageOrder.MintedId#orByTransaction} is declared: those that hold back the order by minted ids.
   * Orders by window and plain orders are not held back.
   *
   * <p>Reads the sessions, not the table. What the role may not see is counted as not looked at.
   */
  public PageLag lag(DataSource dataSource) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      return lag(connection);
    }
  }

  /**
   * Returns the same, on the caller's connection. Unless that is in auto-commit mode, its own
   * transaction counts as well.
   */
  public PageLag lag(Connection connection) throws SQLException {
    return PageLag.read(connection, definition.order());
  }

  /**
   * Returns the statements that create the indexes with which every page is an index scan: one
   * statement, or two for {@link PageOrder.MintedId#orByTransaction}. They do not block writes, and
   * must run outside a transaction.
   */
  public List<String> indexStatements() {
    return definition.indexStatements();
  }

  private interface ConnectionReader<T> {
    Page<T> read(Connection connection) throws SQLException;
  }

  private ConnectionReader<T> reader(PageRequest request) {
    definition.requireScope(request);
    Optional<Cursors.Opened> cursor = request.cursor().map(cursors::open);
    return connection ->
        new PageReader<>(connection, definition, columns, cursors, afterFailover, request, cursor)
            .read();
  }

  PageDefinition definition() {
    return definition;
  }

  Cursors cursors() {
    return cursors;
  }

  PageColumns<T> columns() {
    return columns;
  }
}
