package dev.mintmark.postgres.page;

import dev.mintmark.Keyring;
import dev.mintmark.postgres.RowReader;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The rows of a table, page after page: each page begins at the row where the one before ended, by
 * an index, however far that is.
 *
 * <p>In the orders whose {@link Guarantee} is {@code GAP_FREE}, whoever goes on from page to page,
 * and polls at the end, is given every row of the scope once, though transactions commit in another
 * order than they began. {@link PageOrder} says how, and what that needs; where it cannot be had a
 * page is refused, not read with gaps.
 *
 * <p>Rows that are deleted, or whose scope changes, before they were read are not given.
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
 * @param <T> what is made of a row
 */
public final class KeysetPages<T> {
  /** Characters of a cursor at most; they are letters, digits, {@code -} and {@code _}. */
  public static final int CURSOR_LENGTH_MAX = Cursors.LENGTH_MAX;

  /** Columns of a scope at most. */
  public static final int SCOPE_MAX = PageDefinition.SCOPE_MAX;

  private final PageDefinition definition;
  private final Cursors cursors;
  private final PageColumns<T> columns;

  private KeysetPages(PageDefinition definition, Cursors cursors, PageColumns<T> columns) {
    this.definition = definition;
    this.cursors = cursors;
    this.columns = columns;
  }

  /**
   * Begins to say what is read.
   *
   * @param table its name, with its schema and a dot before it or as the search path finds it
   */
  public static Builder of(String table) {
    return new Builder(table);
  }

  /** What is read, said step by step; not safe for use by many threads. */
  public static final class Builder {
    private final String table;
    private List<String> scope = List.of();
    private Optional<PageOrder> order = Optional.empty();
    private Optional<Keyring> keyring = Optional.empty();

    private Builder(String table) {
      this.table = table;
    }

    /** The columns whose values each request names; none unless this is called. */
    public Builder scopedBy(String... columns) {
      scope = Arrays.asList(columns);
      return this;
    }

    /** The order, and with it the guarantee. */
    public Builder orderedBy(PageOrder order) {
      this.order = Optional.of(order);
      return this;
    }

    /** What signs cursors: the newest key; those signed with an older one are read too. */
    public Builder signedWith(Keyring keyring) {
      this.keyring = Optional.of(keyring);
      return this;
    }

    /**
     * What is read of each row.
     *
     * @param columns one or more; they need not be those of the order
     * @throws IllegalStateException if the order or the keyring is missing
     * @throws IllegalArgumentException if a name cannot be one, or a column is in both scope and
     *     order
     */
    public <T> KeysetPages<T> reading(List<String> columns, RowReader<T> reader) {
      List<String> names = List.copyOf(columns);
      names.forEach(SqlName::quoted);
      if (names.isEmpty()) {
        throw new IllegalArgumentException("pages of \"" + table + "\": expected columns to read");
      }
      PageDefinition definition = new PageDefinition(table, scope, required(order, "an order"));
      Cursors cursors = new Cursors(required(keyring, "a keyring to sign cursors with"));
      return new KeysetPages<>(definition, cursors, new PageColumns<>(names, reader));
    }

    private <V> V required(Optional<V> value, String what) {
      return value.orElseThrow(
          () -> new IllegalStateException("pages of \"" + table + "\": expected " + what));
    }
  }

  /**
   * Reads a page in a read-only transaction of its own, at isolation level {@code read committed}.
   *
   * @throws CursorException if the request's cursor is none of these pages, or cannot be gone on
   *     from
   * @throws PageRefusedException if a condition of the order does not hold
   * @throws IllegalArgumentException if the request does not have just the scope's values
   */
  public Page<T> read(DataSource dataSource, PageRequest request) throws SQLException {
    PageReader<T> reader = reader(request);
    try (PageTransaction transaction = PageTransaction.begin(dataSource)) {
      return transaction.finish(reader.read(transaction.connection()));
    }
  }

  /**
   * Reads a page in the caller's transaction; where there is none (auto-commit), in one of its own.
   * Not all orders can do with every transaction, and by {@link PageOrder.MintedId} no page shows
   * what was minted after the transaction began: a long one is no place to poll from.
   *
   * @throws CursorException as {@link #read(DataSource, PageRequest)}
   * @throws PageRefusedException as {@link #read(DataSource, PageRequest)}
   * @throws IllegalArgumentException as {@link #read(DataSource, PageRequest)}
   */
  public Page<T> read(Connection connection, PageRequest request) throws SQLException {
    PageReader<T> reader = reader(request);
    if (!connection.getAutoCommit()) {
      return reader.read(connection);
    }
    try (PageTransaction transaction = PageTransaction.begin(connection)) {
      return transaction.finish(reader.read(connection));
    }
  }

  /**
   * The statements that create the indexes which make every page an index scan: one, or two for
   * {@link PageOrder.MintedId#orByTransaction}. They lock out nobody and run outside a transaction.
   */
  public List<String> indexStatements() {
    return definition.indexStatements();
  }

  private interface PageReader<T> {
    Page<T> read(Connection connection) throws SQLException;
  }

  private PageReader<T> reader(PageRequest request) {
    definition.requireScope(request);
    Optional<Cursors.Opened> cursor = request.cursor().map(cursors::open);
    return connection ->
        new PageReading<>(connection, definition, columns, cursors, request, cursor).read();
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
