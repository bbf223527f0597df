package dev.mintmark.postgres.page;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A primary of its own, and a hot standby that streams from it. */
public final class Standby implements AutoCloseable {
  private static final Set<String> NOT_COPIED =
      Set.of("postmaster.pid", "postmaster.opts", "epg-lock");

  private final EmbeddedPostgres primary;
  private final EmbeddedPostgres standby;
  private final Path directory;

  private Standby(EmbeddedPostgres primary, EmbeddedPostgres standby, Path directory) {
    this.primary = primary;
    this.standby = standby;
    this.directory = directory;
  }

  public static Standby start() throws IOException, SQLException {
    EmbeddedPostgres primary = builder().start();
    Path copy = Files.createTempDirectory("standby");
    try (Connection connection = primary.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_backup_start('standby', true)");
      copy(Path.of(text(statement, "show data_directory")), copy);
      Files.writeString(
          copy.resolve("backup_label"),
          text(statement, "select labelfile from pg_backup_stop(false)"));
    }
    Files.createFile(copy.resolve("standby.signal"));
    Files.writeString(
        copy.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=localhost port=%d user=postgres'".formatted(primary.getPort()));
    EmbeddedPostgres standby =
        builder().setDataDirectory(copy).setCleanDataDirectory(false).start();
    return new Standby(primary, standby, copy);
  }

  private static EmbeddedPostgres.Builder builder() {
    return EmbeddedPostgres.builder()
        .setLocaleConfig("locale", "C")
        .setServerConfig("max_prepared_transactions", "20");
  }

  /** Connections to the primary. */
  public DataSource primary() {
    return primary.getPostgresDatabase();
  }

  Connection connectToPrimary() throws SQLException {
    return primary().getConnection();
  }

  /** A connection to the standby. */
  public Connection connect() throws SQLException {
    return standby.getPostgresDatabase().getConnection();
  }

  /** Waits until the standby has replayed what the primary has written. */
  void catchUp() throws SQLException {
    try (Connection from = connectToPrimary();
        Statement written = from.createStatement();
        Connection to = connect();
        Statement replayed = to.createStatement()) {
      // Commits here are not written at once; a record that is flushed takes them along.
      written.execute(
          "set synchronous_commit = on; create table if not exists flushed (); drop table flushed");
      String position = text(written, "select pg_current_wal_flush_lsn()::text");
      while (!text(replayed, "select pg_last_wal_replay_lsn() >= '" + position + "'").equals("t")) {
        Thread.onSpinWait();
      }
    }
  }

  private static String text(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(directory));
            if (!target.equals(to)) {
              Files.createDirectory(target);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!NOT_COPIED.contains(file.getFileName().toString())) {
              Files.copy(file, to.resolve(from.relativize(file)));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // the server may take a file away meanwhile
          }
        });
  }

  @Override
  public void close() {
    try {
      standby.close();
      primary.close();
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
