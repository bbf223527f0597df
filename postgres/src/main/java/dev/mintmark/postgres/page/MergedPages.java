package dev.mintmark.postgres.page;

import dev.mintmark.Quoted;
import dev.mintmark.Uuids;
import dev.mintmark.postgres.page.PageQuery.Row;
import dev.mintmark.postgres.page.PageQuery.Rows;
import dev.mintmark.postgres.page.PageRefusedException.Condition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Pages of tables in several databases (shards), merged into one list in the order of ids, with one
 * cursor.
 *
 * <p>In the order {@link PageOrder#byMintedId} no row is lost or repeated, if the conditions of
 * that order hold in every database. A row is returned when no database can produce a smaller id
 * any more: all horizons are read first, and the earliest of them applies to all databases. So the
 * clocks need not agree. A clock that is behind, or an open transaction in one database, holds back
 * the rows of all. If a database does not respond, the page fails. A fallback to another order is
 * not supported.
 *
 * <p>In the order {@link PageOrder#plain} of a single {@code uuid} column, smallest first, pages
 * are merged in the same way, without a guarantee.
 *
 * <p>An id that is in two databases is returned twice, in the order of the databases' names. A row
 * that is moved from one database to another may be missed or returned twice.
 *
 * <p>Immutable; safe for use by many threads. Reading a page uses one connection of each database
 * at the same time.
 *
 * <pre>{@code
 * MergedPages<User> users = MergedPages.over(pages, Map.of("br", brazil, "ca", canada));
 * Page<ShardRow<User>> page = users.read(PageRequest.first(25));
 * }</pre>
 */
public final class MergedPages<T> {
  /** The maximum number of databases. */
  public static final int SHARDS_MAX = 64;

  private static final Comparator<UUID> UNSIGNED = Uuids.UNSIGNED;

  private final KeysetPages<T> pages;
  private final String idColumn;
  private final SortedMap<String, DataSource> shards;

  private MergedPages(KeysetPages<T> pages, String idColumn, SortedMap<String, DataSource> shards) {
    this.pages = pages;
    this.idColumn = idColumn;
    this.shards = shards;
  }

  /**
   * Merges pages of the same table in several databases.
   *
   * @param shards 1 to {@value #SHARDS_MAX} databases by name; cursors are bound to the names
   * @throws IllegalArgumentException if there is no database, there are too many, or the order is
   *     not by id
   */
  public static <T> MergedPages<T> over(
      KeysetPages<T> pages, Map<String, ? extends DataSource> shards) {
    if (shards.isEmpty() || shards.size() > SHARDS_MAX) {
      throw new IllegalArgumentException(
          "%s shards: expected 1 to %s".formatted(shards.size(), SHARDS_MAX));
    }
    PageOrder order = pages.definition().order();
    boolean byId =
        order instanceof PageOrder.MintedId minted
            ? minted.xid().isEmpty()
            : order instanceof PageOrder.Plain
                && order.keys().size() == 1
                && !order.keys().get(0).descending();
    if (!byId) {
      throw new IllegalArgumentException(
          "cannot merge pages in order %s: expected byMintedId without orByTransaction, or plain by one ascending column"
              .formatted(order));
    }
    return new MergedPages<>(
        pages,
        order.keys().get(0).column(),
        Collections.unmodifiableSortedMap(new TreeMap<>(shards)));
  }

  /** A shard while a page is read. In a plain order there is no horizon. */
  private record Shard(
      String name, Connection connection, PageTable table, Optional<MintedHorizon> horizon) {}

  /** A row and the index of its shard, from 0 in the order of the names. */
  private record Found<T>(UUID id, int shard, T row) {}

  /**
   * Reads a page, in a separate read-only transaction in each database.
   *
   * @throws CursorException as {@link KeysetPages#read(DataSource, PageRequest)}
   * @throws PageRefusedException as {@link KeysetPages#read(DataSource, PageRequest)}
   * @throws IllegalArgumentException as {@link KeysetPages#read(DataSource, PageRequest)}
   */
  public Page<ShardRow<T>> read(PageRequest request) throws SQLException {
    pages.definition().requireScope(request);
    Optional<Cursors.Opened> cursor = request.cursor().map(pages.cursors()::open);
    List<PageTransaction> transactions = new ArrayList<>();
    try {
      List<Shard> open = new ArrayList<>();
      for (Map.Entry<String, DataSource> shard : shards.entrySet()) {
        PageTransaction transaction = PageTransaction.begin(shard.getValue());
        transactions.add(transaction);
        open.add(open(shard.getKey(), transaction.connection()));
      }
      return new MergedPageReader<>(this, open, request, cursor).read();
    } finally {
      closeAll(transactions);
    }
  }

  private Shard open(String name, Connection connection) throws SQLException {
    PageDefinition definition = pages.definition();
    if (definition.order() instanceof PageOrder.MintedId minted) {
      MintedHorizon horizon = MintedHorizon.read(connection, definition, minted);
      return new Shard(name, connection, horizon.table(), Optional.of(horizon));
    }
    PageTable table = definition.readTable(connection, definition.order());
    table.requireOrdered(definition.order().keys());
    if (!table.type(idColumn).equals("uuid")) {
      throw table.refused(
          Condition.TABLE,
          "pages can only be merged by a column of type uuid: %s is of type %s"
              .formatted(Quoted.of(idColumn), table.type(idColumn)));
    }
    return new Shard(name, connection, table, Optional.empty());
  }

  private static void closeAll(List<PageTransaction> transactions) throws SQLException {
    SQLException failed = null;
    for (PageTransaction transaction : transactions) {
      try {
        transaction.close();
      } catch (SQLException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  /** Reads one page after the horizons of all databases are known. */
  private record MergedPageReader<T>(
      MergedPages<T> merged,
      List<Shard> shards,
      PageRequest request,
      Optional<Cursors.Opened> cursor) {

    Page<ShardRow<T>> read() throws SQLException {
      Cursors cursors = merged.pages.cursors();
      String identity = identity();
      cursor.ifPresent(opened -> cursors.requirePages(opened, identity));
      List<Long> clocks = clocks();
      Optional<UUID> bound =
          shards.stream()
              .flatMap(shard -> shard.horizon().stream())
              .map(MintedHorizon::bound)
              .min(UNSIGNED);
      Rows<ShardRow<T>> rows = find(bound);
      boolean atEnd = request.backwards() ? cursor.isEmpty() : !rows.more();
      Position fallback = position().orElse(Position.START);
      return new Page<>(
          rows.values(),
          write(identity, rows.before(request.backwards(), fallback), clocks),
          write(identity, rows.after(request.backwards(), fallback), clocks),
          rows.more(),
          atEnd && bound.isPresent() && isHeldBack(bound.get()),
          order());
    }

    private PageOrder order() {
      return merged.pages.definition().order();
    }

    private Optional<Position> position() {
      return cursor.map(opened -> opened.state().position());
    }

    private String identity() {
      List<String> tables = new ArrayList<>();
      for (Shard shard : shards) {
        tables.add(shard.name());
        tables.add(shard.table().resolved());
      }
      return merged.pages.definition().identity(tables, request);
    }

    /** Returns the latest time at which each shard was read. Checks that no clock is behind it. */
    private List<Long> clocks() {
      Optional<CursorState.MintedId> state = Cursors.state(cursor, CursorState.MintedId.class);
      List<Long> clocks = new ArrayList<>();
      for (int i = 0; i < shards.size(); i++) {
        if (shards.get(i).horizon().isEmpty()) {
          continue;
        }
        MintedHorizon horizon = shards.get(i).horizon().get();
        long seen = state.isPresent() ? state.get().clocks().get(i) : horizon.readAt();
        horizon.requireClock(seen, (PageOrder.MintedId) order());
        clocks.add(Math.max(seen, horizon.readAt()));
      }
      return clocks;
    }

    /** Reads rows of all shards and merges them. */
    private Rows<ShardRow<T>> find(Optional<UUID> bound) throws SQLException {
      boolean below = bound.isPresent() && !(request.backwards() && cursor.isPresent());
      List<SqlFragment> conditions =
          below
              ? List.of(PageQuery.compare(merged.idColumn, "<", "uuid", bound.orElseThrow()))
              : List.of();
      List<Found<T>> found = new ArrayList<>();
      boolean more = false;
      for (int i = 0; i < shards.size(); i++) {
        Rows<T> rows =
            query(shards.get(i))
                .read(
                    order().keys(),
                    positionIn(i),
                    request.backwards(),
                    conditions,
                    request.limit());
        for (Row<T> row : rows.rows()) {
          found.add(new Found<>(Uuids.parse(row.keys().get(0)), i, row.value()));
        }
        more |= rows.more();
      }
      found.sort(order(request.backwards()));
      return new Rows<>(
          found.stream().limit(request.limit()).map(this::row).toList(),
          more || found.size() > request.limit());
    }

    private static <T> Comparator<Found<T>> order(boolean backwards) {
      Comparator<Found<T>> order =
          Comparator.<Found<T>, UUID>comparing(Found::id, UNSIGNED).thenComparing(Found::shard);
      return backwards ? order.reversed() : order;
    }

    private PageQuery<T> query(Shard shard) {
      return new PageQuery<>(
          shard.connection(),
          shard.table(),
          merged.pages.columns(),
          merged.pages.definition().scopeConditions(shard.table(), request));
    }

    /**
     * Returns the position to begin at in one shard. Rows with the same id come in the order of the
     * shards, so the side of the position depends on the shard.
     */
    private Optional<Position> positionIn(int shard) {
      return position()
          .map(
              position -> {
                if (position.keys().isEmpty()) {
                  return position;
                }
                int of = Integer.parseInt(position.keys().get(1));
                boolean isAfter = position.side() == Position.Side.AFTER ? shard <= of : shard < of;
                List<String> id = List.of(position.keys().get(0));
                return isAfter ? Position.after(id) : Position.before(id);
              });
    }

    private boolean isHeldBack(UUID bound) throws SQLException {
      boolean heldBack = false;
      for (Shard shard : shards) {
        if (query(shard).exists(List.of(PageQuery.compare(merged.idColumn, ">=", "uuid", bound)))) {
          heldBack = true;
          MintedHorizon horizon = shard.horizon().orElseThrow();
          horizon.requireNotAhead(query(shard), (PageOrder.MintedId) order());
        }
      }
      return heldBack;
    }

    private Row<ShardRow<T>> row(Found<T> found) {
      return new Row<>(
          List.of(found.id().toString(), Integer.toString(found.shard())),
          new ShardRow<>(shards.get(found.shard()).name(), found.row()));
    }

    private String write(String identity, Position position, List<Long> clocks) {
      CursorState state =
          clocks.isEmpty()
              ? new CursorState.Plain(position)
              : new CursorState.MintedId(position, clocks);
      return merged.pages.cursors().write(shards.get(0).table(), identity, Origin.ANY, state);
    }
  }
}
