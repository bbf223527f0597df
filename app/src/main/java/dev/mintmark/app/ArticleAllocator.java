package dev.mintmark.app;

import dev.mintmark.Block;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The rival: the table and the query that the article prints, which a client asks once each, on one
 * connection an instance. Everything is in a schema of its own, dropped at the end.
 */
final class ArticleAllocator implements Storm.Allocator {
  private static final int INSERT_BATCH = 10_000;

  private final Storm storm;
  private final List<DataSource> instances = new ArrayList<>();
  private final String schema;
  private final LongAdder statements = new LongAdder();

  ArticleAllocator(Storm storm, Database database) {
    this.storm = storm;
    this.schema = storm.pool().name().replace('-', '_');
    for (int i = 0; i < storm.instances(); i++) {
      instances.add(database.connectionPool("rival-" + i, 1));
    }
    execute(
        "create schema " + schema,
        "create table "
            + schema
            + ".ip_address (id bigint not null, ip inet not null, client_id bigint)",
        "create index index_ip_address_on_client_id on "
            + schema
            + ".ip_address using btree (client_id)");
    seed();
  }

  /**
   * As printed: it may give one client more than one address, and does not see a client come back.
   */
  private String allocationQuery() {
    return """
    update %1$s.ip_address
    set client_id = ?
    where id in (
      select id
      from %1$s.ip_address
      where client_id is null
      order by random()
      limit 1
      for update
      skip locked
    )
    returning host(ip)
    """
        .formatted(schema);
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < storm.instances(); i++) {
      int instance = i;
      threads.add(new Thread(() -> serve(instance, log, failure), "rival-" + i));
    }
    log.start();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        thread.join(100);
        progress.accept(log.answered());
      }
    }
    log.end();
    SQLException failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("the rival's query failed: " + failed.getMessage(), failed);
    }
  }

  private void serve(int instance, AnswerLog log, AtomicReference<@Nullable SQLException> failure) {
    try (Connection connection = instances.get(instance).getConnection();
        PreparedStatement query = connection.prepareStatement(allocationQuery())) {
      for (int client = instance;
          client < storm.clients() && failure.get() == null;
          client += storm.instances()) {
        query.setLong(1, client);
        statements.increment();
        try (ResultSet granted = query.executeQuery()) {
          if (granted.next()) {
            log.granted(client, granted.getString(1));
          } else {
            log.rejected(client);
          }
        }
      }
    } catch (SQLException e) {
      failure.set(e);
    }
  }

  @Override
  public long statements() {
    return statements.sum();
  }

  @Override
  public void close() {
    execute("drop schema " + schema + " cascade");
  }

  private void seed() {
    try (Connection connection = instances.get(0).getConnection();
        PreparedStatement insert =
            connection.prepareStatement(
                "insert into " + schema + ".ip_address (id, ip) values (?, ?::inet)")) {
      long id = 0;
      for (Block block : storm.pool().blocks()) {
        for (long place : LongStream.range(0, block.size()).toArray()) {
          insert.setLong(1, ++id);
          insert.setString(2, block.valueAt(place));
          insert.addBatch();
          if (id % INSERT_BATCH == 0) {
            insert.executeBatch();
          }
        }
      }
      insert.executeBatch();
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's table could not be filled", e);
    }
  }

  private void execute(String... sql) {
    try (Connection connection = instances.get(0).getConnection();
        Statement statement = connection.createStatement()) {
      for (String one : sql) {
        statement.execute(one);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's schema: " + e.getMessage(), e);
    }
  }
}
