package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import dev.mintmark.postgres.internal.Transactions.Statements;
import dev.mintmark.postgres.pool.PoolStandings.Arrival;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Copies a pool into another database: every column of its rows, with the ids of that database. The
 * rows go through this program as JSON, {@value #ROWS} at a time. For one thread.
 */
final class PoolCopy {
  private static final SqlFile DELETE_ARRIVING = SqlFile.load(PoolCopy.class, "delete_arriving");
  private static final SqlFile DELETE_VALUES = SqlFile.load(PoolCopy.class, "delete_values");
  private static final SqlFile READ_POOL_ROW = SqlFile.load(PoolCopy.class, "read_pool_row");
  private static final SqlFile INSERT_POOL_ROW = SqlFile.load(PoolCopy.class, "insert_pool_row");
  private static final SqlFile LIST_BLOCK_IDS = SqlFile.load(PoolCopy.class, "list_block_ids");
  private static final SqlFile DRAW_BLOCK_IDS = SqlFile.load(PoolCopy.class, "draw_block_ids");
  private static final SqlFile LAST_TOKEN = SqlFile.load(PoolCopy.class, "last_token");
  private static final SqlFile RAISE_TOKENS = SqlFile.load(PoolCopy.class, "raise_tokens");

  private static final int ROWS = 2_000;

  /**
   * The slice of the values in slices that have ended: none has this id. So they are no claims of
   * clients there either, until their leases end.
   */
  private static final int ENDED_SLICE = 0;

  /** What the tables are copied in, so that each row finds those that it refers to. */
  private static final List<String> OF_THE_POOL =
      List.of("pool_gate", "pool_owner", "pool_usage", "pool_claim_note", "pool_claim_label");

  private static final List<String> OF_ITS_BLOCKS = List.of("pool_block", "pool_listed");

  /** Those whose rows are reported as progress. */
  private static final List<String> OF_ITS_VALUES =
      List.of("pool_free", "pool_claim", "pool_quarantine", "pool_history");

  private final int poolId;
  private final Statements source;
  private final Statements target;
  private final PoolMove.Progress progress;
  private final long expected;
  private long copied;

  /**
   * @param poolId in the database that it is copied from
   * @param source a transaction there, which has locked the pool
   * @param target a transaction in the other database
   * @param expected how many values and claims of the history there are
   */
  PoolCopy(
      int poolId, Statements source, Statements target, PoolMove.Progress progress, long expected) {
    this.poolId = poolId;
    this.source = source;
    this.target = target;
    this.progress = progress;
    this.expected = expected;
  }

  /** Returns the id of the copy. A copy of a move that was interrupted is deleted before. */
  int make(String name, String sourceName, String moveId) throws SQLException {
    Bind id = bind("pool_id", poolId);
    Optional<Arrival> left = PoolStandings.copy(target, name);
    PoolRow pool =
        source
            .query(
                READ_POOL_ROW,
                row -> new PoolRow(row.getString("moved"), row.getLong("moving_millis")),
                id)
            .get(0);
    // The source has answered, so it had locked the pool when the copy was found: that move is
    // over.
    if (left.isPresent()) {
      deleteCopy(left.get().moveId());
    }
    int arrived =
        target
            .query(
                INSERT_POOL_ROW,
                row -> row.getInt("pool_id"),
                bind("moved", pool.moved),
                bind("moving_millis", pool.movingMillis),
                bind("move_id", moveId),
                bind("source", sourceName),
                bind("source_pool_id", poolId))
            .get(0);
    List<Integer> blocks = source.query(LIST_BLOCK_IDS, row -> row.getInt("block_id"), id);
    List<Integer> arrivedBlocks =
        target.query(DRAW_BLOCK_IDS, row -> row.getInt("block_id"), bind("count", blocks.size()));
    String ofPool =
        "select to_jsonb(moved) || jsonb_build_object('pool_id', %s) as line from mintmark.%%s moved where pool_id = %s"
            .formatted(arrived, poolId);
    String ofBlock =
        ("select to_jsonb(moved)"
                + " || jsonb_build_object('pool_id', %s, 'block_id', block.arrived, 'xact', null,"
                + " 'slice_id', case when to_jsonb(moved) ->> 'slice_id' is not null then %s end) as line"
                + " from mintmark.%%s moved"
                + " join unnest(array[%s]::integer[], array[%s]::integer[]) as block (here, arrived)"
                + " on block.here = moved.block_id where pool_id = %s")
            .formatted(arrived, ENDED_SLICE, list(blocks), list(arrivedBlocks), poolId);
    for (String table : OF_ITS_BLOCKS) {
      copy(table, ofBlock.formatted(table));
    }
    for (String table : OF_THE_POOL) {
      copy(table, ofPool.formatted(table));
    }
    for (String table : OF_ITS_VALUES) {
      copied += copy(table, ofBlock.formatted(table));
    }
    // Later claims must have greater tokens than those that were granted there.
    long last = source.query(LAST_TOKEN, row -> row.getLong("token")).get(0);
    target.query(RAISE_TOKENS, row -> "", bind("floor", last));
    return arrived;
  }

  private void deleteCopy(String moveId) throws SQLException {
    for (int left :
        target.query(DELETE_ARRIVING, row -> row.getInt("pool_id"), bind("move_id", moveId))) {
      target.query(DELETE_VALUES, row -> row.getLong("deleted"), bind("pool_id", left));
    }
  }

  /** A pool as JSON, and for how long it has been on its way. */
  private record PoolRow(String moved, long movingMillis) {}

  private static String list(List<Integer> ids) {
    return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns how many rows. */
  private long copy(String table, String query) throws SQLException {
    boolean reported = OF_ITS_VALUES.contains(table);
    SqlFile insert =
        SqlFile.parse(
            "insert into " + table,
            ("insert into mintmark.%s overriding system value select moved.* from unnest(:rows) as line"
                    + " cross join lateral jsonb_populate_record(null::mintmark.%s, line::jsonb) as moved")
                .formatted(table, table));
    String cursor = "mintmark_" + table;
    source.execute("declare %s no scroll cursor for %s".formatted(cursor, query));
    long rows = 0;
    while (true) {
      List<String> read =
          source.query("fetch %s from %s".formatted(ROWS, cursor), row -> row.getString("line"));
      if (read.isEmpty()) {
        source.execute("close " + cursor);
        return rows;
      }
      int unused = target.update(insert, bind("rows", read.toArray(String[]::new)));
      rows += read.size();
      if (reported) {
        progress.copied(copied + rows, expected);
      }
    }
  }
}
