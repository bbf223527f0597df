package dev.mintmark.app.backup;

import dev.mintmark.app.backup.BackupManifest.SequenceData;
import dev.mintmark.app.backup.BackupManifest.TableData;
import dev.mintmark.app.database.TableSet;
import dev.mintmark.app.view.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Makes a backup of all tables of Mintmark in a database, as of one moment, while servers and
 * clients go on. The rows are in the text format of {@code COPY}, which every version of PostgreSQL
 * reads. For one thread.
 */
public final class Backup implements AutoCloseable {
  /**
   * What is a table of somebody else is not in the backup, so there must be none. Those of an
   * extension come with the extension.
   */
  private static final String OTHERS =
      """
      select pg_catalog.format('%I.%I', nspname, relname)
      from pg_catalog.pg_class
      join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm', 'f')
        and nspname !~ '^pg_'
        and nspname <> 'information_schema'
        and not (nspname = 'mintmark' and relname = any (?))
        and not exists (
          select from pg_catalog.pg_depend
          where classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            and objid = pg_class.oid
            and deptype = 'e')
      order by 1
      limit 6
      """;

  private static final String COLUMNS =
      """
      select relname, attname, greatest(reltuples, 0)::bigint
      from pg_catalog.pg_attribute
      join pg_catalog.pg_class on pg_class.oid = attrelid
      where relnamespace = 'mintmark'::pg_catalog.regnamespace
        and relname = any (?)
        and attnum > 0
        and not attisdropped
        and attgenerated = ''
      order by relname, attnum
      """;

  /** All but the clock of the SQL pack, which is not in a backup. */
  private static final String SEQUENCES =
      """
      select relname
      from pg_catalog.pg_class
      where relnamespace = 'mintmark'::pg_catalog.regnamespace
        and relkind = 'S'
        and relname <> 'ulid_clock'
      order by relname
      """;

  /** No time limit of the role or the database; 17 and later have one for transactions. */
  private static final String WITHOUT_TIME_LIMITS =
      """
      select pg_catalog.set_config(name, '0', true)
      from pg_catalog.pg_settings
      where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
      """;

  /** Rows that a policy would hide from the role are an error: they would be missing. */
  private static final List<String> SETTINGS =
      List.of(
          "set transaction isolation level repeatable read, read only",
          "set local row_security = off",
          "set local bytea_output = 'hex'",
          "set local extra_float_digits = 1");

  private static final String MAY_ASK_FOR_THE_TIMELINE =
      """
      select 1
      where pg_catalog.has_function_privilege(
          pg_catalog.to_regprocedure('mintmark.pool_timeline()'), 'execute')
        and pg_catalog.has_function_privilege(
          pg_catalog.to_regprocedure('mintmark.pool_system()'), 'execute')
      """;

  /** As the fence asks, except that a standby does not say its timeline. */
  private static final String FAILOVER_PENDING =
      """
      select here.timeline is distinct from pool_epoch.timeline
        or coalesce(here.system_identifier <> pool_epoch.system_identifier, false)
      from mintmark.pool_epoch
      cross join (
        select
          mintmark.pool_timeline() as timeline,
          mintmark.pool_system() as system_identifier
      ) as here
      where here.timeline is not null
      order by number desc
      limit 1
      """;

  /** Tables of ours that say what was run, and views. */
  private static final List<String> NOT_COPIED =
      List.of("pool_migration", "pool_claims", "pool_values_free");

  private static final int NAMES_SHOWN = 5;

  private final Connection connection;
  private final String program;
  private final Map<String, String> versions;
  private final Map<String, List<String>> columns = new LinkedHashMap<>();
  private long expectedRows;

  private Backup(Connection connection, String program) throws SQLException {
    this.connection = connection;
    this.program = program;
    CopySql.begin(connection, SETTINGS);
    CopySql.execute(connection, List.of(WITHOUT_TIME_LIMITS));
    versions = versions();
    checkOthers();
    readColumns();
  }

  /**
   * Begins a backup of the database as it is now.
   *
   * @param connections of a role that may read all tables of Mintmark; time limits of the role do
   *     not apply
   * @param program the version of Mintmark
   * @throws BackupException if the database has no tables of Mintmark, also has tables of others,
   *     or another tool than Mintmark created ours
   * @throws SQLException if the database failed
   */
  public static Backup begin(DataSource connections, String program) throws SQLException {
    Connection connection = connections.getConnection();
    try {
      return new Backup(connection, program);
    } catch (SQLException | RuntimeException e) {
      try (connection) {
        throw e;
      }
    }
  }

  /** About how many rows there are: what the server knows without counting them. */
  public long expectedRows() {
    return expectedRows;
  }

  /** Ends the transaction. */
  @Override
  public void close() throws SQLException {
    try (connection) {
      connection.rollback();
    }
  }

  private void checkOthers() throws SQLException {
    List<String> ours =
        Stream.concat(
                Stream.of(TableSet.values())
                    .flatMap(set -> Stream.concat(set.tables().stream(), Stream.of(set.history()))),
                NOT_COPIED.stream())
            .toList();
    List<String> others = names(OTHERS, ours);
    if (!others.isEmpty()) {
      throw new BackupException(
          ("the database has tables that are not Mintmark's, which this backup would not contain: %s%s."
                  + " Back it up with pg_dump of PostgreSQL or, if it is the embedded one, copy its"
                  + " directory while no server runs")
              .formatted(
                  others.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", ")),
                  others.size() > NAMES_SHOWN ? " and more" : ""));
    }
  }

  private Map<String, String> versions() throws SQLException {
    Map<String, String> versions = new LinkedHashMap<>();
    for (TableSet set : TableSet.values()) {
      if (!set.hasVersions()) {
        continue;
      }
      String table = TableSet.SCHEMA + "." + set.history();
      if (exists(table)) {
        texts(
                ("select version from %s where success and version is not null"
                        + " order by installed_rank desc limit 1")
                    .formatted(table))
            .forEach(version -> versions.put(set.history(), version));
      }
    }
    if (!versions.containsKey(TableSet.POOLS.history())) {
      throw new BackupException(
          exists("mintmark.pool")
              ? "another tool than Mintmark created its tables: back them up with the database, with"
                  + " pg_dump of PostgreSQL"
              : "the database has no tables of Mintmark: mintmark serve creates them");
    }
    return versions;
  }

  private boolean exists(String table) throws SQLException {
    return !texts("select 1 where pg_catalog.to_regclass('%s') is not null".formatted(table))
        .isEmpty();
  }

  private void readColumns() throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(COLUMNS)) {
      statement.setArray(1, connection.createArrayOf("text", TableSet.allTables().toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          List<String> ofTable =
              columns.computeIfAbsent(row.getString(1), table -> new ArrayList<>());
          expectedRows += ofTable.isEmpty() ? row.getLong(3) : 0;
          ofTable.add(row.getString(2));
        }
      }
    }
  }

  /**
   * Writes the backup, which the caller makes durable.
   *
   * @param progress receives how many rows were written
   * @throws SQLException if the database failed
   */
  public BackupManifest write(OutputStream out, LongConsumer progress)
      throws SQLException, IOException {
    ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
    List<TableData> written = new ArrayList<>();
    long rows = 0;
    for (Map.Entry<String, List<String>> table : columns.entrySet()) {
      TableData data = write(table.getKey(), table.getValue(), zip, rows, progress);
      rows += data.rows();
      written.add(data);
    }
    BackupManifest manifest =
        new BackupManifest(
            BackupManifest.FORMAT,
            texts("select to_char(now() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
                .get(0),
            program,
            connection.getMetaData().getDatabaseProductVersion(),
            failoverPending(),
            versions,
            written,
            sequences());
    zip.putNextEntry(new ZipEntry(BackupFile.MANIFEST));
    zip.write(Json.MAPPER.writeValueAsBytes(manifest));
    zip.closeEntry();
    zip.finish();
    return manifest;
  }

  /** Null if the server, the rights of the role or the version of the tables do not say. */
  private @Nullable Boolean failoverPending() throws SQLException {
    if (texts(MAY_ASK_FOR_THE_TIMELINE).isEmpty()) {
      return null;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FAILOVER_PENDING)) {
      return row.next() ? row.getObject(1, Boolean.class) : null;
    }
  }

  private TableData write(
      String table, List<String> columns, ZipOutputStream zip, long before, LongConsumer progress)
      throws SQLException, IOException {
    DigestOutputStream digest = new DigestOutputStream(zip, BackupFile.sha256());
    zip.putNextEntry(new ZipEntry(TableData.entryOf(table)));
    CopyOut copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyOut(CopySql.copy(table, columns) + " to stdout");
    long rows = 0;
    long bytes = 0;
    try {
      // The server sends one message for each row.
      for (byte[] row = copy.readFromCopy(); row != null; row = copy.readFromCopy()) {
        digest.write(row);
        rows++;
        bytes += row.length;
        progress.accept(before + rows);
      }
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
    zip.closeEntry();
    return new TableData(table, columns, rows, bytes, BackupFile.hex(digest.getMessageDigest()));
  }

  /**
   * Sequences are not part of a transaction: they are read last, when they have at least the
   * numbers that the rows have.
   */
  private List<SequenceData> sequences() throws SQLException {
    List<SequenceData> sequences = new ArrayList<>();
    for (String name : texts(SEQUENCES)) {
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery("select last_value, is_called from " + CopySql.quoted(name))) {
        row.next();
        sequences.add(new SequenceData(name, row.getLong(1), row.getBoolean(2)));
      }
    }
    return sequences;
  }

  private List<String> names(String query, List<String> names) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setArray(1, connection.createArrayOf("text", names.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(row.getString(1));
        }
      }
    }
    return found;
  }

  private List<String> texts(String query) throws SQLException {
    List<String> found = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        found.add(String.valueOf(row.getString(1)));
      }
    }
    return found;
  }
}
