package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.CidrPrefixes;
import dev.mintmark.Quoted;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.SqlName;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Adopts a table of values and the clients that use them: imports what is in use as claims of a
 * pool, renames the table, and keeps a view of the old shape under the old name, whose clients are
 * those of the pool.
 *
 * <pre>
 *   ip_address (ip, client_id, ...)   becomes   ip_address_adopted (the same, and the place of each ip)
 *                                               ip_address, a view for reading: client_id from the pool
 * </pre>
 *
 * <p>All of it is one transaction, in which the table is locked: readers and writers wait. It takes
 * time in proportion to the rows. The view cannot be written; values are claimed and released
 * through the pool from then on. Safe for use by many threads.
 */
public final class PoolAdoption {
  /** The most problems that are reported. */
  public static final int PROBLEMS_MAX = 100;

  private static final SqlFile COLUMNS = SqlFile.load(PoolAdoption.class, "adopt_columns");
  private static final SqlFile READERS = SqlFile.load(PoolAdoption.class, "adopt_readers");
  private static final SqlFile FENCE = SqlFile.load(PoolAdoption.class, "adopt_fence");
  private static final SqlFile END_CLAIMS = SqlFile.load(PoolAdoption.class, "adopt_end_claims");
  private static final SqlFile PROBLEMS = SqlFile.load(PoolAdoption.class, "adopt_problems");
  private static final SqlFile IMPORT = SqlFile.load(PoolAdoption.class, "adopt_import");
  private static final SqlFile MISSED = SqlFile.load(PoolAdoption.class, "adopt_missed");

  private static final String SUFFIX = "_adopted";
  private static final String BLOCK = "mintmark_block";
  private static final String PLACE = "mintmark_place";

  private final Pool pool;
  private final Table table;

  /**
   * The table to adopt.
   *
   * @param name its name, with its schema unless that is {@code public}
   * @param value the column of the values: of type {@code inet}, {@code cidr}, a number or text
   * @param client the column of the clients: null if a value is not in use
   * @param owner the column of the owners, if there is one
   */
  public record Table(String name, String value, String client, Optional<String> owner) {}

  /**
   * What was done, or would be done.
   *
   * @param rows how many rows of the table have a client
   * @param imported how many of them became claims; the others were claims of their clients before,
   *     and were renewed
   * @param renamedTo the new name of the table, with its schema
   * @param view the name of the view: the old name of the table, with its schema
   * @param problems why nothing was done; empty if it was done; {@value #PROBLEMS_MAX} at most
   */
  public record Result(
      long rows, long imported, String renamedTo, String view, List<String> problems) {
    public Result {
      problems = List.copyOf(problems);
    }
  }

  private record Column(
      String name,
      String type,
      boolean isTable,
      boolean hasRowSecurity,
      String schema,
      String relation) {
    static Column read(ResultSet row) throws SQLException {
      return new Column(
          row.getString("name"),
          row.getString("type"),
          row.getBoolean("is_table"),
          row.getBoolean("has_row_security"),
          row.getString("schema"),
          row.getString("relation"));
    }

    String qualified(String suffix) {
      return SqlName.quoted(schema) + "." + SqlName.quoted(relation + suffix);
    }
  }

  private PoolAdoption(Pool pool, Table table) {
    this.pool = pool;
    this.table = table;
  }

  /**
   * Adopts a table, unless there are problems: values that are in no block or have several rows,
   * are excluded or held by another client; clients with more values than the pool allows; a pool
   * that is stopped, or whose values instances grant from slices.
   *
   * @param pool the pool; its blocks have the values
   * @param dryRun whether to report only: nothing is changed, and the table is not locked
   * @throws IllegalArgumentException if there is no such table or column, or it is not an ordinary
   *     table, or it has row-level security, or the column of the clients or owners has a type for
   *     other things than names and numbers, or the blocks of the pool come from another pool
   * @throws PoolUnavailableException if the database failed, the table, the pool or one of the
   *     values was locked for 5 s, or the role may not rename the table: nothing is changed
   */
  public static Result adopt(Pool pool, Table table, boolean dryRun) {
    pool.spec()
        .source()
        .ifPresent(
            source -> {
              throw new IllegalArgumentException(
                  "pool %s gets its blocks from pool %s, and cannot adopt a table"
                      .formatted(Quoted.of(pool.name()), Quoted.of(source.pool())));
            });
    pool.context().passFence();
    PoolAdoption adoption = new PoolAdoption(pool, table);
    return pool.context()
        .ifKnown(
            () ->
                pool.context()
                    .database()
                    .transactionWithoutRepeat(
                        statements -> adoption.run(statements, dryRun),
                        result -> !dryRun && result.problems.isEmpty()));
  }

  private Result run(Statements statements, boolean dryRun) throws SQLException {
    List<Column> columns = columns(statements);
    Column any = columns.get(0);
    statements.execute("set local lock_timeout = '5s'");
    if (!dryRun) {
      statements.execute("lock table " + any.qualified("") + " in access exclusive mode");
      columns = columns(statements); // They may have changed before the lock.
      lockPool(statements);
    }
    select(statements, any, column(columns, table.value));
    if (!dryRun) {
      statements.query(END_CLAIMS, row -> "", pool.context().poolId());
    }
    List<String> problems = notGranting(statements);
    if (problems.isEmpty()) {
      problems = problems(statements, PROBLEMS);
    }
    long rows =
        statements
            .query("select count(*) as rows from pg_temp.mintmark_adopted", row -> row.getLong(1))
            .get(0);
    long imported = 0;
    if (problems.isEmpty() && !dryRun) {
      imported =
          statements.query(IMPORT, row -> row.getLong("imported"), pool.context().poolId()).get(0);
      problems = problems(statements, MISSED);
    }
    if (problems.isEmpty() && !dryRun) {
      replace(statements, columns);
    }
    return new Result(
        rows,
        problems.isEmpty() ? imported : 0,
        any.schema + "." + any.relation + SUFFIX,
        any.schema + "." + any.relation,
        problems);
  }

  /** Until the transaction ends, the blocks and settings stay, and no value gets its first row. */
  private void lockPool(Statements statements) throws SQLException {
    pool.context().lock(statements);
    PoolStore.lockBlocks(statements, pool.id());
  }

  /** Why the pool may not grant values at present; empty if it may. */
  private List<String> notGranting(Statements statements) throws SQLException {
    List<Bind> binds = new ArrayList<>(pool.context().fence().known().binds());
    binds.add(pool.context().poolId());
    return statements.query(FENCE, row -> row.getString("problem"), binds.toArray(Bind[]::new));
  }

  private List<String> problems(Statements statements, SqlFile query) throws SQLException {
    return statements.query(
        query,
        row -> row.getString("problem"),
        pool.context().poolId(),
        bind("limit", PROBLEMS_MAX));
  }

  private List<Column> columns(Statements statements) throws SQLException {
    String name = table.name.contains(".") ? table.name : "public." + table.name;
    List<Column> columns =
        statements.query(COLUMNS, Column::read, bind("table", SqlName.quotedTable(name)));
    check(columns);
    return columns;
  }

  private void check(List<Column> columns) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("no table " + Quoted.of(table.name));
    }
    if (!columns.get(0).isTable) {
      throw new IllegalArgumentException(
          Quoted.of(table.name) + " is not an ordinary table: was it adopted before?");
    }
    if (columns.get(0).hasRowSecurity) {
      throw new IllegalArgumentException(
          ("%s has row-level security, and the view that takes its name would show all rows to every"
                  + " reader: end that first (alter table ... disable row level security)")
              .formatted(Quoted.of(table.name)));
    }
    for (String name :
        table.owner.isPresent()
            ? List.of(table.value, table.client, table.owner.get())
            : List.of(table.value, table.client)) {
      Column unused = column(columns, name);
    }
    columns.forEach(column -> expression(column));
  }

  private Column column(List<Column> columns, String name) {
    return columns.stream()
        .filter(column -> column.name.equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "table %s has no column %s: it has %s"
                        .formatted(
                            Quoted.of(table.name),
                            Quoted.of(name),
                            columns.stream().map(Column::name).toList())));
  }

  /** The rows that have a client, with the places of their values. */
  private void select(Statements statements, Column any, Column value) throws SQLException {
    statements.execute(
        """
        create temporary table mintmark_adopted on commit drop as
        select used.value, used.client, used.owner, place.block_id, place.place
        from (
          select %s as value, %s::text as client, %s as owner
          from %s
          where %2$s is not null
        ) as used
        left join lateral mintmark.pool_place(%s, used.value) as place on true
        """
            .formatted(
                text(value),
                SqlName.quoted(table.client),
                table.owner.map(owner -> SqlName.quoted(owner) + "::text").orElse("null::text"),
                any.qualified(""),
                pool.id()));
  }

  private String text(Column value) {
    String name = SqlName.quoted(value.name);
    boolean isAddress = value.type.equals("inet") || value.type.equals("cidr");
    boolean isPrefix = pool.spec().blocks().get(0) instanceof CidrPrefixes;
    return isAddress ? "%s(%s::inet)".formatted(isPrefix ? "text" : "host", name) : name + "::text";
  }

  /** Renames the table, and creates the view under its name. */
  private void replace(Statements statements, List<Column> columns) throws SQLException {
    Column any = columns.get(0);
    String view = any.qualified("");
    String kept = any.qualified(SUFFIX);
    List<Optional<String>> readers =
        statements.query(
            READERS, row -> Optional.ofNullable(row.getString("reader")), bind("table", view));
    statements.execute(
        "alter table %s rename to %s".formatted(view, SqlName.quoted(any.relation + SUFFIX)));
    statements.execute(
        "alter table %s add column %s integer, add column %s bigint".formatted(kept, BLOCK, PLACE));
    statements.execute(
        "update %s as kept set (%s, %s) = (select block_id, place from mintmark.pool_place(%s, %s))"
            .formatted(kept, BLOCK, PLACE, pool.id(), text(column(columns, table.value))));
    statements.execute(
        """
        create view %s as
        select %s
        from %s as kept
        left join mintmark.pool_claim as held
          on held.pool_id = %s and held.block_id = kept.%s and held.place = kept.%s
          and (held.expires_at is null or held.expires_at > clock_timestamp())
        """
            .formatted(
                view,
                columns.stream().map(this::expression).collect(Collectors.joining(", ")),
                kept,
                pool.id(),
                BLOCK,
                PLACE));
    for (Optional<String> reader : readers) {
      statements.execute(
          "grant select on %s to %s".formatted(view, reader.map(SqlName::quoted).orElse("public")));
    }
  }

  /** A column of the view: clients and owners are those of the pool, in the old type. */
  private String expression(Column column) {
    String name = SqlName.quoted(column.name);
    if (column.name.equals(table.client)) {
      return cast("held.client", column) + " as " + name;
    }
    return table.owner.filter(column.name::equals).isPresent()
        ? cast("held.owner", column) + " as " + name
        : "kept." + name;
  }

  /** A client that claims later may have a name that the type cannot hold: it is null. */
  private String cast(String text, Column column) {
    return TextCast.of(text, column.type)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "column %s of table %s is of type %s, which cannot hold the name of every client: expected %s"
                        .formatted(
                            Quoted.of(column.name),
                            Quoted.of(table.name),
                            column.type,
                            TextCast.TYPES)));
  }
}
