package dev.mintmark.verify.bench;

import dev.mintmark.postgres.pack.Pack;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.postgresql.PGConnection;

/** A PostgreSQL with the SQL pack, its rivals, and one session that measures what it does. */
final class SqlServer implements AutoCloseable {
  /** Those of every server that is measured; what is not here is as PostgreSQL has it. */
  static final Map<String, String> SETTINGS =
      new TreeMap<>(
          Map.ofEntries(
              // As in production: nothing is lost in a crash.
              Map.entry("fsync", "on"),
              Map.entry("synchronous_commit", "on"),
              Map.entry("full_page_writes", "on"),
              Map.entry("wal_level", "replica"),
              Map.entry("shared_buffers", "512MB"),
              Map.entry("work_mem", "64MB"),
              // Nothing starts by itself while something is measured.
              Map.entry("max_wal_size", "16GB"),
              Map.entry("checkpoint_timeout", "1h"),
              Map.entry("autovacuum", "off"),
              // One process does the work, in one way.
              Map.entry("max_parallel_workers_per_gather", "0"),
              Map.entry("jit", "off")));

  private final EmbeddedPostgres server;
  private final Connection connection;

  /** Where Linux keeps the nanoseconds that the session's process has run. */
  private final Path processorTime;

  private SqlServer(EmbeddedPostgres server, Connection connection) throws SQLException {
    this.server = server;
    this.connection = connection;
    int process = connection.unwrap(PGConnection.class).getBackendPID();
    this.processorTime = Path.of("/proc", Integer.toString(process), "schedstat");
  }

  /**
   * Starts one.
   *
   * @param binaries where those of the versions lie that are not on the class path, as {@code
   *     15.jar}
   */
  static SqlServer start(int majorVersion, Path binaries) throws IOException, SQLException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setLocaleConfig("locale", "C")
            .setPGStartupWait(Duration.ofMinutes(2))
            .setOutputRedirector(Redirect.DISCARD)
            .setErrorRedirector(Redirect.DISCARD);
    SETTINGS.forEach(builder::setServerConfig);
    Path jar = binaries.resolve(majorVersion + ".jar");
    if (Files.exists(jar)) {
      builder.setPgBinaryResolver(archiveIn(jar));
    }
    EmbeddedPostgres embedded = builder.start();
    SqlServer server = new SqlServer(embedded, embedded.getPostgresDatabase().getConnection());
    server.check(majorVersion);
    server.install(embedded);
    return server;
  }

  private static PgBinaryResolver archiveIn(Path jar) {
    return (system, architecture) -> {
      try (JarFile file = new JarFile(jar.toFile())) {
        ZipEntry archive =
            file.stream().filter(entry -> entry.getName().endsWith(".txz")).findAny().orElseThrow();
        try (InputStream content = file.getInputStream(archive)) {
          return new ByteArrayInputStream(content.readAllBytes());
        }
      }
    };
  }

  /** Says so if it is another version, or runs with other settings, than the page will say. */
  private void check(int majorVersion) throws SQLException {
    int actual = connection.getMetaData().getDatabaseMajorVersion();
    if (actual != majorVersion) {
      throw new IllegalArgumentException(
          "PostgreSQL %d: the one at hand is %d".formatted(majorVersion, actual));
    }
    for (Map.Entry<String, String> setting : SETTINGS.entrySet()) {
      String shown = text("show " + setting.getKey());
      if (!shown.equals(setting.getValue())) {
        throw new IllegalStateException(
            "%s is %s: expected %s".formatted(setting.getKey(), shown, setting.getValue()));
      }
    }
  }

  private void install(EmbeddedPostgres embedded) throws IOException, SQLException {
    Pack.inSchema("mintmark").install(embedded.getPostgresDatabase());
    try (InputStream rivals =
        Objects.requireNonNull(SqlServer.class.getResourceAsStream("rivals.sql"))) {
      execute(new String(rivals.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** {@code 15.19}. */
  String version() throws SQLException {
    return connection.getMetaData().getDatabaseProductVersion();
  }

  Connection connection() {
    return connection;
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  long number(String sql) throws SQLException {
    return Long.parseLong(text(sql));
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getString(1);
    }
  }

  interface Work {
    void run() throws SQLException;
  }

  /** What the work took. */
  SqlCost cost(Work work) throws SQLException {
    long processorStart = processorNanos();
    long start = System.nanoTime();
    work.run();
    long elapsed = System.nanoTime() - start;
    return new SqlCost(elapsed, isProcessorTimed() ? processorNanos() - processorStart : elapsed);
  }

  /** Whether this machine tells what a process has run; the time that went by has to do if not. */
  boolean isProcessorTimed() {
    return Files.isReadable(processorTime);
  }

  private long processorNanos() {
    if (!isProcessorTimed()) {
      return 0;
    }
    try {
      String line = Files.readString(processorTime);
      return Long.parseLong(line.substring(0, line.indexOf(' ')));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException, SQLException {
    // Else the server has more to write as it stops than it is given time for.
    execute("checkpoint");
    connection.close();
    server.close();
  }
}
