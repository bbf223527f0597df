package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.BuiltInType;
import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.Index;
import dev.mintmark.operations.migrate.Step.Work;
import dev.mintmark.operations.migrate.TableLock.Held;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The step that fills the identifiers of existing rows in the order of the primary key, in
 * statements as {@link Work#BACKFILL} requires.
 *
 * <pre>
 *   tick     milliseconds | 18 bits of a counter       as in the clock of the SQL pack
 *   cursor   the tick after the last row, its milliseconds, its key
 * </pre>
 *
 * <p>Rows of the same millisecond that follow each other get consecutive ticks, and those of a
 * batch do wherever they are. Random bits follow a tick, so an identifier does not reveal the next
 * one. A batch never waits for a row while it holds locks: it ends before the first row that
 * another session has locked, and the next batch begins there. It updates rows by their key: one
 * that was changed after the snapshot of the batch and before it was locked lies elsewhere in the
 * file, where the snapshot does not see it. A row whose key changes meanwhile may be passed by;
 * {@link Backfill#rest} fills it.
 */
final class KeyOrderFill {
  /**
   * The greatest batch. PostgreSQL plans the inner query for that many rows, so it reads the index
   * in order and sorts nothing.
   */
  private static final int ROWS_MAX = 10_000;

  /** The time of rows that are filled with the time of the migration. */
  private static final String NOW =
      "((pg_catalog.date_part('epoch', pg_catalog.clock_timestamp()) * 1000000::float8)::bigint / 1000::bigint)";

  /** The last time of which a tick is a bigint, in the year 3084. */
  private static final long MILLIS_MAX = (1L << 45) - 1;

  private final LiveTable table;
  private final List<Column> key;
  private final Optional<String> created;

  private KeyOrderFill(LiveTable table, List<Column> key, Optional<String> created) {
    this.table = table;
    this.key = key;
    this.created = created;
  }

  /**
   * Prepares the step; empty if the table has no primary key of integers, texts and UUIDs.
   *
   * @param created the time of a row, an expression of timestamptz of the row {@code t}; empty to
   *     fill with the time of the migration
   */
  static Optional<KeyOrderFill> of(LiveTable table, Optional<String> created) {
    return table.indexes().stream()
        .filter(index -> index.primary() && index.valid())
        .findFirst()
        .map(index -> columns(table, index))
        .filter(key -> !key.isEmpty() && key.stream().allMatch(KeyOrderFill::isOrdered))
        .map(key -> new KeyOrderFill(table, key, created));
  }

  private static List<Column> columns(LiveTable table, Index index) {
    return index.keyColumns().stream()
        .flatMap(name -> table.column(name.orElse("")).stream())
        .toList();
  }

  private static boolean isOrdered(Column column) {
    BuiltInType base = column.base();
    return !column.type().domain()
        && (base.isInteger() || base.isText() || base == BuiltInType.UUID);
  }

  /** The columns of the primary key, as messages list them. */
  String shownKey() {
    return key.stream().map(Column::shown).collect(Collectors.joining(", "));
  }

  /**
   * Returns the step.
   *
   * @param column the column to fill
   * @param ofTick makes its value of a tick, an expression of bigint
   * @param lacking the rows to fill, a condition of the row {@code t}
   * @param bytesPerRow the bytes of a value
   */
  Step step(
      String title, String column, UnaryOperator<String> ofTick, String lacking, int bytesPerRow) {
    return Step.single(
            Phase.BACKFILL, Work.BACKFILL, title, table.shown(), sql(column, ofTick, lacking))
        .estimate(Backfill.estimate(table, bytesPerRow))
        .locks(table, Mode.ROW_EXCLUSIVE, Held.FOR_A_BATCH)
        .build();
  }

  private String sql(String column, UnaryOperator<String> ofTick, String lacking) {
    return """
        with parameters as materialized (
          select ?::text[] as cursor, ?::integer as rows
        ),
        begun as materialized (
          select
            p.cursor,
            coalesce(pg_catalog.cardinality(p.cursor), 0) > 2 as has_key,
            coalesce(p.cursor[1]::bigint, %1$s) as tick,
            coalesce(p.cursor[2]::bigint, %2$s) as millis
          from parameters p
        ),
        read as materialized (
          select either.*, pg_catalog.row_number() over (order by %3$s) as place
          from (
            (select * from (
              select %4$s, (%5$s) as lacks, %6$s as millis
              from %7$s t
              where not (select b.has_key from begun b)
              order by %8$s
              limit %9$s) first
            limit (select p.rows from parameters p))
            union all
            (select * from (
              select %4$s, (%5$s) as lacks, %6$s as millis
              from %7$s t
              where (select b.has_key from begun b) and (%8$s) operator(pg_catalog.>) (%10$s)
              order by %8$s
              limit %9$s) later
            limit (select p.rows from parameters p))
          ) either
        ),
        placed as materialized (
          select
            r.place,
            %15$s,
            coalesce(r.millis, b.millis) as millis,
            case when coalesce(r.millis, b.millis) = b.millis then b.tick else coalesce(r.millis, b.millis) << 18 end
              + pg_catalog.row_number() over (partition by coalesce(r.millis, b.millis) order by r.place) - 1::bigint as tick
          from read r
          cross join begun b
        ),
        locked as materialized (
          select r.place
          from read r
          join %7$s t on %11$s
          where r.lacks and (%5$s)
          for no key update of t skip locked
        ),
        stop as materialized (
          select coalesce(
            (select pg_catalog.min(r.place)
             from read r
             where r.lacks and not exists (select from locked l where l.place = r.place)),
            9223372036854775807) as place
        ),
        filled as (
          update %7$s t
          set %12$s = %13$s
          from locked l
          join placed p on p.place = l.place
          where %16$s and l.place < (select s.place from stop s)
          returning 1
        )
        select
          (select pg_catalog.count(*) from read r cross join stop s where r.place < s.place) as seen,
          (select pg_catalog.count(*) from filled) as changed,
          case
            when not exists (select from read) then null
            when (select s.place from stop s) = 1::bigint then coalesce(b.cursor, array[b.tick::text, b.millis::text])
            else (
              select array[(p.tick + 1::bigint)::text, p.millis::text, %14$s]
              from read r
              join placed p on p.place = r.place
              cross join stop s
              where r.place < s.place
              order by r.place desc
              limit 1)
          end as cursor
        from begun b"""
        .formatted(
            created.isPresent()
                ? "0"
                : "(" + NOW + " << 18) + (pg_catalog.random() * 100000::float8)::bigint",
            created.isPresent() ? "-1" : NOW,
            names("either.k%s"),
            each((name, i) -> "t." + name + " as k" + i),
            lacking,
            created.map(at -> KindSql.millis(at, MILLIS_MAX)).orElse("null::bigint"),
            table.quoted(),
            each((name, i) -> "t." + name),
            ROWS_MAX,
            after(),
            joined("r"),
            SqlName.quoted(column),
            ofTick.apply("p.tick"),
            names("r.k%s::text"),
            names("r.k%s"),
            joined("p"));
  }

  /** Writes a column of the key, by its quoted name and its number from 1 on. */
  private interface Written {
    String of(String name, int number);
  }

  private String each(Written written) {
    return String.join(", ", all(written));
  }

  private List<String> all(Written written) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      texts.add(written.of(SqlName.quoted(key.get(i).name()), i + 1));
    }
    return texts;
  }

  private String names(String format) {
    return each((name, i) -> format.formatted(i));
  }

  /** The key of the cursor. */
  private String after() {
    return each(
        (name, i) ->
            "(select b.cursor[%s]::%s from begun b)"
                .formatted(i + 2, key.get(i - 1).type().declared()));
  }

  /** Whether a row is the one whose key a part of the batch has. */
  private String joined(String part) {
    return String.join(
        " and ", all((name, i) -> "t.%s operator(pg_catalog.=) %s.k%s".formatted(name, part, i)));
  }
}
