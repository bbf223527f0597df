package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.Block;
import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.pool.PoolLayout.Window;
import dev.mintmark.postgres.pool.PoolStats.BlockStats;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Reads which values of a pool are in which state. Safe for use by many threads. */
final class PoolMapReader {
  private static final SqlFile BLOCKS = SqlFile.load(PoolMapReader.class, "blocks");
  private static final SqlFile MAP = SqlFile.load(PoolMapReader.class, "map");
  private static final SqlFile NEWEST_TOKEN = SqlFile.load(PoolMapReader.class, "newest_token");

  private final PoolContext context;

  PoolMapReader(PoolContext context) {
    this.context = context;
  }

  /** Counts the values by block and state, as {@link Pool#stats} says. */
  PoolStats stats() {
    var unused = context.freshSpec();
    Map<String, BlockStats> blocks = new LinkedHashMap<>();
    context
        .database()
        .query(BLOCKS, PoolMapReader::readBlockStats, context.poolId())
        .forEach(part -> blocks.merge(part.block(), part, BlockStats::plus));
    if (blocks.isEmpty()) {
      context.reload();
    }
    return new PoolStats(List.copyOf(blocks.values()));
  }

  /** Returns the greatest token, as {@link Pool#newestToken} says. */
  long newestToken() {
    long newest =
        context
            .database()
            .query(NEWEST_TOKEN, row -> row.getLong("token"), context.poolId())
            .get(0);
    if (newest == 0) {
      context.checkKnown();
    }
    return newest;
  }

  /** Reads a part of the pool's map, as {@link Pool#map} says. */
  PoolMap map(long from, int limit) {
    if (from < 0 || limit < 1 || limit > Pool.MAP_MAX) {
      throw new IllegalArgumentException(
          "map from %s, limit %s: expected a position from 0 and a limit of 1 to %s"
              .formatted(from, limit, Pool.MAP_MAX));
    }
    PoolLayout layout = context.reload().layout();
    long start = Math.min(from, layout.positions());
    long end = start + Math.min(limit, layout.positions() - start);
    List<PoolMap.Stretch> stretches = new ArrayList<>();
    StringBuilder states = new StringBuilder();
    for (Window window : layout.windows(start, end)) {
      stretches.add(window.stretch());
      states.append(window.withExcluded(states(window)));
    }
    return new PoolMap(start, layout.positions(), stretches, states.toString());
  }

  /** Returns the position of a value in the map, as {@link Pool#positionOf} says. */
  OptionalLong positionOf(String value) {
    OptionalLong position = context.layout().positionOf(value);
    return position.isPresent() ? position : context.reload().layout().positionOf(value);
  }

  private String states(Window window) {
    Block.Positions places = window.places();
    return context
        .database()
        .query(
            MAP,
            row -> row.getString("states"),
            context.poolId(),
            bind("block_id", window.block().id()),
            bind("from", places.from()),
            bind("to", places.to()))
        .get(0);
  }

  private static BlockStats readBlockStats(ResultSet row) throws SQLException {
    return new BlockStats(
        row.getString("declared"),
        row.getBoolean("drains"),
        row.getBigDecimal("free").toBigIntegerExact(),
        row.getBigDecimal("never_issued").toBigIntegerExact(),
        row.getBigDecimal("held").toBigIntegerExact(),
        row.getBigDecimal("quarantined").toBigIntegerExact(),
        row.getBigDecimal("draining").toBigIntegerExact());
  }
}
