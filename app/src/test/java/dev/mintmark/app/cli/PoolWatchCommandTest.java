package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** What {@code mintmark pool watch} prints while other commands change the pool. */
@Tag("long")
class PoolWatchCommandTest {
  private static final long WAIT_SECONDS = Patience.MAX.toSeconds();

  private static final String DATABASE = OwnDatabases.create();

  @Test
  void aLineIsPrintedForEachChange() throws Exception {
    run("create", "ports", "--block", "1..5", "--quarantine", "0s");
    Watch watch = Watch.start("ports");

    watch.await(
        lines -> lines.get(lines.size() - 1).endsWith("held=0 quarantined=0 free=5 (0.0% used)"));
    for (int i = 0; i < 4; i++) {
      run("claim", "ports", "--client", "c" + i);
    }
    watch.await(
        lines -> lines.get(lines.size() - 1).endsWith("80.0% used: above the threshold 80%"));
    run("delete", "ports", "--yes");
    List<String> lines =
        watch.await(printed -> printed.get(printed.size() - 1).endsWith("the pool was deleted"));

    assertThat(watch.status()).isEqualTo(1);
    assertThat(lines).allMatch(line -> line.matches("20[0-9-]+T[0-9:.]+Z  .*"));
    assertThat(lines).anyMatch(line -> line.endsWith("held=4 quarantined=0 free=1 (80.0% used)"));
  }

  /** Nothing but the command sweeps here. */
  @Test
  void theEndOfALeaseIsAChange() throws Exception {
    run("create", "leased", "--block", "1..5", "--quarantine", "0s");
    run("claim", "leased", "--client", "a", "--lease", "1h");
    Watch watch = Watch.start("leased");

    watch.await(lines -> lines.get(0).endsWith("held=1 quarantined=0 free=4 (20.0% used)"));
    endLeases();
    watch.await(
        lines -> lines.get(lines.size() - 1).endsWith("held=0 quarantined=0 free=5 (0.0% used)"));

    watch.interrupt();
    assertThat(watch.status()).isZero();
  }

  @Test
  void jsonIsADocumentALine() throws Exception {
    run("create", "json", "--block", "1..5");
    Watch watch = Watch.start("json", "--json");
    watch.await(lines -> !lines.isEmpty());
    run("delete", "json", "--yes");
    List<String> lines = watch.await(printed -> printed.size() == 2);

    JsonNode first = Json.MAPPER.readTree(lines.get(0));
    assertThat(first.get("type").asString()).isEqualTo("pool");
    assertThat(first.at("/data/capacity").asInt()).isEqualTo(5);
    assertThat(Json.MAPPER.readTree(lines.get(1)).get("type").asString()).isEqualTo("deleted");
    assertThat(watch.status()).isEqualTo(1);
  }

  @Test
  void anUnknownPoolIsRefused() {
    StringWriter err = new StringWriter();

    assertThat(execute(new StringWriter(), err, "watch", "nothing")).isEqualTo(1);
    assertThat(err.toString()).contains("no pool \"nothing\"");
  }

  /** A command that runs in a thread of its own. */
  private static final class Watch {
    private final StringWriter out = new StringWriter();
    private final FutureTask<Integer> command;
    private final Thread thread;

    private Watch(String... arguments) {
      this.command =
          new FutureTask<>(
              () ->
                  execute(
                      out,
                      new StringWriter(),
                      Stream.concat(Stream.of("watch"), Stream.of(arguments))
                          .toArray(String[]::new)));
      this.thread = new Thread(command, "pool-watch");
      thread.setDaemon(true);
      thread.start();
    }

    static Watch start(String... arguments) {
      return new Watch(arguments);
    }

    /** Waits until lines were printed as a test wants, and returns all. */
    List<String> await(Predicate<List<String>> wanted) throws InterruptedException {
      long begun = System.nanoTime();
      while (true) {
        List<String> lines = out.toString().lines().toList();
        if (!lines.isEmpty() && wanted.test(lines)) {
          return lines;
        }
        assertThat(System.nanoTime() - begun)
            .as(out.toString())
            .isLessThan(TimeUnit.SECONDS.toNanos(WAIT_SECONDS));
        Thread.sleep(20);
      }
    }

    void interrupt() {
      thread.interrupt();
    }

    int status() throws Exception {
      return command.get(WAIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static void endLeases() throws SQLException {
    try (Connection connection = DriverManager.getConnection(DATABASE);
        Statement statement = connection.createStatement()) {
      statement.execute("update mintmark.pool_claim set expires_at = pg_catalog.now()");
    }
  }

  private static void run(String... arguments) {
    StringWriter err = new StringWriter();
    assertThat(execute(new StringWriter(), err, arguments)).as(err.toString()).isZero();
  }

  private static int execute(StringWriter out, StringWriter err, String... arguments) {
    String[] command =
        Stream.of(Stream.of("pool"), Stream.of(arguments), Stream.of("--database-url", DATABASE))
            .flatMap(words -> words)
            .toArray(String[]::new);
    CommandLine commandLine =
        MintmarkCommand.commandLine(new ByteArrayOutputStream(), command)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err));
    return commandLine.execute(command);
  }
}
