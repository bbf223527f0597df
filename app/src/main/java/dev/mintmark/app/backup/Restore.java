package dev.mintmark.app.backup;

import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.backup.BackupManifest.SequenceData;
import dev.mintmark.app.backup.BackupManifest.TableData;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.TableSet;
import dev.mintmark.postgres.pool.Failover;
import dev.mintmark.postgres.pool.PoolMovedException;
import dev.mintmark.postgres.pool.Pools;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.postgresql.PGConnection;

/**
 * Restores a backup into an empty database: creates the tables as the program had them that made
 * the backup, fills them, upgrades them, and settles the pools. For one thread.
 */
public final class Restore {
  /** What was done with a pool, the more careful one last. */
  private static final Comparator<Failover.Settled> CARE =
      Comparator.comparing(Failover.Settled::conduct)
          .thenComparing(settled -> settled.restUntil().orElse(Instant.MIN));

  /** No trigger runs: what triggers did is in the backup. */
  private static final List<String> WITHOUT_TRIGGERS =
      List.of("set local session_replication_role = replica");

  private final BackupFile backup;
  private final Database database;
  private final Map<String, Failover.Settled> settled = new LinkedHashMap<>();

  /**
   * @param database without tables
   */
  public Restore(BackupFile backup, Database database) {
    this.backup = backup;
    this.database = database;
  }

  /**
   * Restores all of it, in one transaction, as it was: nothing has changed since the backup was
   * made.
   *
   * @param progress receives how many bytes of rows were sent
   * @return what was done with each pool that did not just go on
   * @throws BackupException if the backup was made by a newer Mintmark
   * @throws SQLException if the database failed; then nothing was restored
   */
  public List<Failover.Settled> runComplete(LongConsumer progress)
      throws SQLException, IOException {
    restore(progress);
    settle(true);
    return List.copyOf(settled.values());
  }

  /**
   * Restores all of it, in one transaction. Values that are free may have been granted since the
   * backup was made.
   *
   * @param catalog what pools were declared to be since; empty if that is not known
   * @param progress receives how many bytes of rows were sent
   * @param warnings is told of a pool that cannot be made as declared
   * @return what was done with each pool that did not just go on
   * @throws BackupException if the backup was made by a newer Mintmark
   * @throws SQLException if the database failed; then nothing was restored
   */
  public List<Failover.Settled> run(
      Optional<Catalog> catalog, LongConsumer progress, Consumer<String> warnings)
      throws SQLException, IOException {
    restore(progress);
    // As they were first: claims of a pool that had no lease at the backup have no end.
    settle(false);
    if (catalog.isPresent() && declare(catalog.get(), warnings)) {
      settle(false);
    }
    return List.copyOf(settled.values());
  }

  private void restore(LongConsumer progress) throws SQLException, IOException {
    BackupManifest manifest = backup.manifest();
    checkTables(manifest);
    List<TableSet> sets =
        Stream.of(TableSet.values())
            .filter(set -> set.tables().stream().anyMatch(name -> manifest.table(name).isPresent()))
            .toList();
    for (TableSet set : sets) {
      create(set, manifest);
    }
    try (Connection connection = database.ownConnections("mintmark-restore").getConnection()) {
      CopySql.begin(connection, WITHOUT_TRIGGERS);
      fill(connection, manifest, progress);
      connection.commit();
    }
    sets.forEach(database::migrate);
  }

  private void checkTables(BackupManifest manifest) {
    List<String> known = TableSet.allTables();
    List<String> unknown =
        manifest.tables().stream()
            .map(TableData::name)
            .filter(name -> !known.contains(name))
            .toList();
    if (!unknown.isEmpty()) {
      throw new BackupException(
          "the backup has tables that this mintmark does not know (%s): restore it with Mintmark %s"
              .formatted(String.join(", ", unknown), manifest.mintmark()));
    }
  }

  private void create(TableSet set, BackupManifest manifest) {
    String version = manifest.versions().get(set.history());
    if (set.hasVersions() && version != null) {
      database.migrate(set, version);
    } else {
      database.migrate(set);
    }
  }

  private void fill(Connection connection, BackupManifest manifest, LongConsumer progress)
      throws SQLException, IOException {
    // The migrations have inserted rows, which the backup has too.
    CopySql.execute(
        connection,
        List.of(
            manifest.tables().stream()
                .map(table -> CopySql.quoted(table.name()))
                .collect(Collectors.joining(", ", "truncate ", ""))));
    Counter sent = new Counter(progress);
    for (TableData table : manifest.tables()) {
      fill(connection, table, sent);
    }
    try (PreparedStatement statement =
        connection.prepareStatement("select pg_catalog.setval(?::regclass, ?, ?)")) {
      for (SequenceData sequence : manifest.sequences()) {
        statement.setString(1, CopySql.quoted(sequence.name()));
        statement.setLong(2, sequence.lastValue());
        statement.setBoolean(3, sequence.isCalled());
        statement.execute();
      }
    }
  }

  private void fill(Connection connection, TableData table, Counter sent)
      throws SQLException, IOException {
    long rows;
    try (InputStream in = sent.counting(backup.rows(table))) {
      rows =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn(CopySql.copy(table.name(), table.columns()) + " from stdin", in);
    }
    if (rows != table.rows()) {
      throw new BackupException(
          "the backup has %s rows of %s, and its manifest says %s: nothing was restored"
              .formatted(rows, table.name(), table.rows()));
    }
  }

  /**
   * Makes the pools as the catalog declares them, so that values which only they have rest too.
   *
   * @return whether that changed any of them
   */
  private boolean declare(Catalog catalog, Consumer<String> warnings) {
    boolean changed = false;
    try (Pools pools = Pools.over(database.connection())) {
      List<String> restored = pools.names();
      for (PoolSpec pool : catalog.pools()) {
        // Of several databases, it is not known which one this is.
        if (catalog.databases().isEmpty() || restored.contains(pool.name())) {
          changed |= declare(pool.withDatabase(Optional.empty()), pools, warnings);
        }
      }
    }
    return changed;
  }

  private static boolean declare(PoolSpec pool, Pools pools, Consumer<String> warnings) {
    Optional<PoolSpec> before =
        pools.names().contains(pool.name())
            ? Optional.of(pools.open(pool.name()).spec())
            : Optional.empty();
    try {
      Pools.Declared unused = pools.declare(pool);
    } catch (IllegalArgumentException | PoolMovedException e) {
      warnings.accept("not as declared in the catalog: " + e.getMessage());
      return false;
    }
    return !before.equals(Optional.of(pools.open(pool.name()).spec()));
  }

  /** Lets each pool do what it declares, before a client comes, and keeps what that is. */
  private void settle(boolean complete) {
    Pools.restored(database.connection(), complete);
    try (Pools pools = Pools.over(database.connection())) {
      pools.reportFailovers(
          new Failover.Listener() {
            @Override
            public void failedOver(Failover failover) {
              // We have declared it.
            }

            @Override
            public void settled(Failover.Settled one) {
              settled.merge(one.pool(), one, BinaryOperator.maxBy(CARE));
            }
          });
      long unused = pools.sweep();
    }
  }

  /** Counts the bytes of all tables. */
  private static final class Counter {
    private final LongConsumer progress;
    private long bytes;

    Counter(LongConsumer progress) {
      this.progress = progress;
    }

    InputStream counting(InputStream in) {
      return new FilterInputStream(in) {
        @Override
        public int read() throws IOException {
          int read = super.read();
          count(read < 0 ? -1 : 1);
          return read;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
          int read = super.read(buffer, offset, length);
          count(read);
          return read;
        }
      };
    }

    private void count(int read) {
      if (read > 0) {
        bytes += read;
        progress.accept(bytes);
      }
    }
  }
}
