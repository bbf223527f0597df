package dev.mintmark.operations.migrate;

import dev.mintmark.operations.migrate.Step.Work;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The steps that fill columns of a table, block by block of its file, in statements as {@link
 * Work#BACKFILL} requires.
 *
 * <p>Why no row is missed: a trigger fills whatever is written meanwhile, and a row only moves to
 * another block by being written. Why no writer is blocked for long: a batch skips locked rows, so
 * it never waits while it holds row locks and cannot be part of a deadlock; {@link #rest} fills the
 * skipped rows.
 */
final class Backfill {
  /** Rows in a second: what a plan reckons with. */
  private static final long FILLED_PER_SECOND = 40_000;

  private static final long READ_PER_SECOND = 200_000;

  /** What a changed row costs in the log besides itself: headers, and an entry in each index. */
  private static final long WAL_PER_ROW = 90;

  private static final long WAL_PER_INDEX_ENTRY = 70;

  /**
   * The blocks of a batch. The cursor says which is the first, and how many the file had when the
   * backfill began: what is written after those since then is filled as it is written. How many a
   * batch has follows from how many rows it is to have, and how many the server reckons with in a
   * block.
   *
   * <p>Batches run under the settings of the role, because triggers of users may depend on them. So
   * their statements mean the same under every setting: functions are qualified, operators get
   * operands of exactly their types, and constants are written by {@link SqlLiteral}.
   */
  private static final String BLOCKS =
      """
      with parameters as materialized (
        select ?::text[] as cursor, ?::bigint as rows
      ),
      blocks as materialized (
        select
          coalesce(p.cursor[1]::bigint, 0) as first,
          greatest(1, p.rows / greatest(1, case when c.relpages > 0 then c.reltuples::float8 / c.relpages::float8 else 50::float8 end)::bigint) as count,
          coalesce(
            p.cursor[2]::bigint,
            pg_catalog.pg_relation_size(c.oid) / pg_catalog.current_setting('block_size')::bigint) as all
        from parameters p
        join pg_catalog.pg_class c on c.oid = %s::pg_catalog.regclass::pg_catalog.oid
      )""";

  private static final String IN_BLOCKS =
      """
      t.ctid >= (select pg_catalog.format('(%s,0)', b.first) from blocks b)::tid
          and t.ctid < (select pg_catalog.format('(%s,0)', least(b.first + b.count, b.all)) from blocks b)::tid""";

  private static final String NEXT =
      "case when b.first + b.count < b.all"
          + " then array[(b.first + b.count)::text, b.all::text] end as cursor";

  private record Filling(String column, String value, String missing) {}

  private final LiveTable table;
  private final List<Filling> fillings = new ArrayList<>();

  Backfill(LiveTable table) {
    this.table = table;
  }

  /**
   * Fills a column.
   *
   * @param value an expression of the row {@code t}
   * @param missing which rows lack it, a condition of the row {@code t}
   */
  void fill(String column, String value, String missing) {
    fillings.add(new Filling(column, value, missing));
  }

  private String missing() {
    return fillings.stream()
        .map(filling -> "(" + filling.missing() + ")")
        .collect(Collectors.joining(" or "));
  }

  private String update() {
    return "update %s t\n  set %s"
        .formatted(
            table.quoted(),
            fillings.stream()
                .map(
                    filling ->
                        SqlName.quoted(filling.column())
                            + " = case when "
                            + filling.missing()
                            + " then "
                            + filling.value()
                            + " else t."
                            + SqlName.quoted(filling.column())
                            + " end")
                .collect(Collectors.joining(", ")));
  }

  private String blocks() {
    return BLOCKS.formatted(SqlLiteral.of(table.quoted()));
  }

  /** Fills the table in one pass. */
  Step pass(String title, int bytesPerRow) {
    String sql =
        """
        %s,
        missing as materialized (
          select t.ctid
          from %s t
          where %s
            and (%s)
          for no key update skip locked
        ),
        filled as (
          %s
          from missing
          where t.ctid = missing.ctid
          returning 1
        )
        select
          (select pg_catalog.count(*) from %s t where %s) as seen,
          (select pg_catalog.count(*) from filled) as changed,
          %s
        from blocks b"""
            .formatted(
                blocks(),
                table.quoted(),
                IN_BLOCKS,
                missing(),
                update(),
                table.quoted(),
                IN_BLOCKS,
                NEXT);
    return step(Phase.BACKFILL, Work.BACKFILL, title, sql, estimate(table, bytesPerRow));
  }

  /** Returns what it costs to fill all rows of a table. */
  static Estimate estimate(LiveTable table, int bytesPerRow) {
    long rowBytes = table.rows() == 0 ? 0 : table.bytes() / Math.max(1, table.rows());
    long wal =
        table.rows()
            * (rowBytes + bytesPerRow + WAL_PER_ROW + table.indexes().size() * WAL_PER_INDEX_ENTRY);
    return new Estimate(
        table.rows(),
        wal,
        table.bytes() + table.rows() * bytesPerRow,
        table.rows() / FILLED_PER_SECOND);
  }

  /** Fills the rows that were locked during the pass, until none is left. */
  Step rest(String title) {
    String sql =
        """
        with parameters as materialized (
          select ?::text[] as cursor, ?::integer as rows
        ),
        missing as materialized (
          select t.ctid
          from %1$s t
          where %2$s
          limit (select p.rows from parameters p)
          for no key update skip locked
        ),
        filled as (
          %3$s
          from missing
          where t.ctid = missing.ctid
          returning 1
        )
        select
          (select pg_catalog.count(*) from missing) as seen,
          (select pg_catalog.count(*) from filled) as changed,
          case when exists (select from %1$s t where %2$s) then array[]::text[] end as cursor"""
            .formatted(table.quoted(), missing(), update());
    return step(
        Phase.BACKFILL,
        Work.BACKFILL,
        title,
        sql,
        new Estimate(0, 0, 0, table.rows() / READ_PER_SECOND));
  }

  /** Counts, in one pass, the rows that satisfy a condition: there should be none. */
  Step verify(String title, String wrong) {
    String sql =
        """
        %s
        select
          (select pg_catalog.count(*) from %s t where %s) as seen,
          (select pg_catalog.count(*) from %s t where %s and (%s)) as changed,
          %s
        from blocks b"""
            .formatted(blocks(), table.quoted(), IN_BLOCKS, table.quoted(), IN_BLOCKS, wrong, NEXT);
    return step(
        Phase.BACKFILL,
        Work.VERIFY,
        title,
        sql,
        new Estimate(table.rows(), 0, 0, table.rows() / READ_PER_SECOND));
  }

  private Step step(Phase phase, Work work, String title, String sql, Estimate estimate) {
    Step.Builder step = Step.single(phase, work, title, table.shown(), sql).estimate(estimate);
    return work == Work.VERIFY
        ? step.build()
        : step.locks(table, Mode.ROW_EXCLUSIVE, Held.FOR_A_BATCH).build();
  }
}
