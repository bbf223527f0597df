package dev.mintmark.verify;

import dev.mintmark.Keyring;
import dev.mintmark.postgres.page.AfterFailover;
import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.Page;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A table that writers insert rows into, one after the other, while a reader follows it page by
 * page. When it is closed, the reader reads to the end.
 */
final class FollowedTable implements AutoCloseable {
  private static final int WRITERS = 2;
  private static final int PAGE = 50;
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final PGSimpleDataSource primary = new PGSimpleDataSource();
  private final KeysetPages<String> pages;
  private final Collection<String> written = new ConcurrentLinkedQueue<>();
  private final List<String> read = Collections.synchronizedList(new ArrayList<>());
  private final List<CompletableFuture<Void>> writers;
  private final CompletableFuture<Void> reader;
  private volatile boolean closed;

  /**
   * Creates the table.
   *
   * @param jdbcUrl all nodes of a cluster
   */
  FollowedTable(String name, String jdbcUrl) {
    primary.setUrl(jdbcUrl + "&targetServerType=primary&connectTimeout=2&socketTimeout=5");
    pages =
        KeysetPages.of(name)
            .orderedBy(PageOrder.byTransaction("xid", "id"))
            .signedWith(Keyring.of('a', SecureRandom.getSeed(Keyring.SECRET_BYTES_MIN)))
            .afterFailover(AfterFailover.TRUST)
            .reading(List.of("note"), row -> row.getString("note"));
    execute(
        Stream.concat(
                Stream.of(
                    "create table %s (id bigint generated always as identity primary key, note text not null,"
                            .formatted(name)
                        + " xid xid8 not null default pg_current_xact_id())"),
                pages.indexStatements().stream())
            .toList());
    writers =
        IntStream.range(0, WRITERS).mapToObj(writer -> run(() -> write(name, writer))).toList();
    reader = run(this::follow);
  }

  private void execute(List<String> statements) {
    try (Connection connection = primary.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<Void> run(Runnable work) {
    return CompletableFuture.runAsync(work, task -> new Thread(task, "followed").start());
  }

  /** Inserts rows; a row whose fate is unknown is not inserted again. */
  private void write(String table, int writer) {
    int number = 0;
    while (!closed) {
      try (Connection connection = primary.getConnection();
          PreparedStatement insert =
              connection.prepareStatement("insert into %s (note) values (?)".formatted(table))) {
        while (!closed) {
          String note = writer + "-" + number++;
          insert.setString(1, note);
          insert.executeUpdate();
          written.add(note);
          LockSupport.parkNanos(PAUSE.toNanos());
        }
      } catch (SQLException e) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void follow() {
    PageRequest next = PageRequest.first(PAGE);
    for (boolean atEnd = false; !closed || !atEnd; ) {
      try {
        boolean wasClosed = writers.stream().allMatch(CompletableFuture::isDone);
        Page<String> page = pages.read(primary, next);
        read.addAll(page.rows());
        next = PageRequest.after(page.after(), PAGE);
        atEnd = wasClosed && !page.hasMore() && !page.heldBack();
      } catch (SQLException e) {
        atEnd = false;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  /** Rows that the reader got twice. */
  List<String> readTwice() {
    Set<String> seen = new HashSet<>();
    return read.stream().filter(note -> !seen.add(note)).toList();
  }

  /** Rows whose insertion was acknowledged, and which the reader did not get. */
  List<String> missed() {
    Set<String> seen = new HashSet<>(read);
    return written.stream().filter(note -> !seen.contains(note)).toList();
  }

  int writtenCount() {
    return written.size();
  }

  @Override
  public void close() {
    closed = true;
    writers.forEach(CompletableFuture::join);
    reader.join();
  }
}
