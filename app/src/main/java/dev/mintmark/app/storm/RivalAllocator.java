package dev.mintmark.app.storm;

import dev.mintmark.testkit.StartGate;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Rival} in a storm: its table, and a thread for each instance that serves one client
 * after another on the connection of the instance. For one thread.
 */
final class RivalAllocator implements Storm.Allocator {
  private final Storm storm;
  private final Rival rival;
  private final List<? extends DataSource> connections;
  private final String schema;
  private final List<RivalInstance> instances;
  private final RivalTable table;

  /**
   * @param schema that of the {@link RivalTable}
   * @param connections those of each instance
   */
  RivalAllocator(Storm storm, Rival rival, String schema, List<? extends DataSource> connections) {
    this.storm = storm;
    this.rival = rival;
    this.schema = schema;
    this.connections = connections;
    this.instances =
        IntStream.range(0, storm.busyInstances())
            .mapToObj(number -> new RivalInstance(rival, storm, number, System::nanoTime))
            .toList();
    this.table = new RivalTable(storm, rival, schema, connections.get(0));
  }

  @Override
  public void run(AnswerLog log, LongConsumer progress) throws InterruptedException {
    AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
    StartGate gate =
        StartGate.of(instances.size(), "rival", instance -> serve(instance, log, failure));
    log.start();
    gate.go();
    gate.await(() -> progress.accept(log.answered()));
    log.end();
    SQLException failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException(
          "the rival %s failed: %s".formatted(rival.label(), failed.getMessage()), failed);
    }
  }

  private void serve(int instance, AnswerLog log, AtomicReference<@Nullable SQLException> failure) {
    try (Connection connection = connections.get(instance).getConnection();
        RivalInstance.Query query = instances.get(instance).prepare(connection, schema)) {
      for (int client = instance;
          client < storm.clients() && failure.get() == null;
          client += instances.size()) {
        Optional<String> granted = query.claim(client);
        if (granted.isPresent()) {
          log.granted(client, granted.get());
        } else {
          log.rejected(client);
        }
      }
    } catch (SQLException e) {
      failure.set(e);
    }
  }

  @Override
  public Storm.Effort effort() {
    return Storm.Effort.sum(instances.stream().map(RivalInstance::effort).toList());
  }

  @Override
  public void close() {
    table.close();
  }
}
