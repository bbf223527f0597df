package dev.mintmark.app.storm;

import com.zaxxer.hikari.HikariDataSource;
import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.Pools;
import java.io.PrintWriter;
import java.net.URI;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark storm}: runs the experiment of the article on a real database. */
@Command(
    name = "storm",
    description = {
      "Measure 500,000 clients that claim one of 2,044 addresses at once.",
      "Uses a temporary database, unless one is given; its tables and pools are removed there."
    },
    mixinStandardHelpOptions = true)
public final class StormCommand implements Callable<Integer> {
  private static final int PROCESSES_MAX = 32;

  private static final String ALL = "all";

  /** Enough for the compilers, and more than the addresses of a rehearsal. */
  private static final int REHEARSAL_CLIENTS = 20_000;

  /** Fewer, because a request over HTTP takes much longer. */
  private static final int HTTP_REHEARSAL_CLIENTS = 4_000;

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "500000",
      description = "The number of clients, each with one claim. Default: ${DEFAULT-VALUE}")
  int clients;

  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "50",
      description = "The number of instances, with one connection each. Default: ${DEFAULT-VALUE}")
  int instances;

  @Option(
      names = "--idle",
      paramLabel = "N",
      defaultValue = "0",
      description = "The number of instances without clients. Default: ${DEFAULT-VALUE}")
  int idle;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description =
          "Run Mintmark's instances as N server processes, called over HTTP, instead of connections of"
              + " this process.")
  @Nullable Integer processes;

  @Option(
      names = "--block",
      paramLabel = "CIDR",
      split = ",",
      defaultValue = "45.67.80.0/22,203.0.112.0/22",
      description = "The addresses. Default: ${DEFAULT-VALUE}")
  List<String> blocks;

  @Option(
      names = "--rival",
      paramLabel = "NAME",
      arity = "0..1",
      split = ",",
      fallbackValue = "article",
      description =
          "Also run a rival: the article's own query, or others by name: article, article-keyed,"
              + " random-guess, for-update, for-update-random, nowait, static-shards, all.")
  List<String> rivals = List.of();

  @Option(
      names = "--rival-clients",
      paramLabel = "N",
      description = "The number of clients of a rival, if all would take too long. Default: all")
  @Nullable Integer rivalClients;

  @Option(
      names = "--slices",
      description =
          "Also run Mintmark with a slice of the pool in each instance, which grants from memory.")
  boolean slices;

  @Option(
      names = "--cold",
      description = "Skip the rehearsal: measure a new process with new connections.")
  boolean cold;

  @Option(names = "--json", description = "Print the figures as JSON.")
  boolean json;

  @Override
  public Integer call() throws InterruptedException {
    if (processes != null && (processes < 1 || processes > PROCESSES_MAX)) {
      throw new IllegalArgumentException(
          "--processes is %d: expected 1 to %d".formatted(processes, PROCESSES_MAX));
    }
    if (rivalClients != null && (rivalClients < 1 || rivalClients > clients)) {
      throw new IllegalArgumentException(
          "--rival-clients is %d: expected 1 to those of --clients, %d"
              .formatted(rivalClients, clients));
    }
    Storm theirs =
        new Storm(pool(), rivalClients == null ? clients : rivalClients, instances, idle);
    Storm ours = new Storm(theirs.pool(), clients, processes == null ? instances : processes, idle);
    if (slices && processes != null) {
      throw new IllegalArgumentException(
          "--slices and --processes: expected one of them: servers have no slices");
    }
    List<Rival> chosen = chosenRivals();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter people = json ? err : out;
    people.println(String.join(System.lineSeparator(), ours.napkin()));
    people.println();
    people.flush();

    if (databaseOptions.named().isEmpty()) {
      PrintWriter notices = Verbosity.notices(spec);
      notices.println("creating a temporary database");
      notices.flush();
    }
    StormReport report;
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openToThrowAway);
      Races races = new Races(atExit, database);
      StormReport.Run run =
          processes == null ? races.runPools(ours) : races.runServers(ours, processes);
      Map<String, StormReport.Run> others = new LinkedHashMap<>();
      if (slices) {
        others.put("slices", races.runSlices(ours));
      }
      for (Rival rival : chosen) {
        others.put(rival.label(), races.runRival(theirs, rival));
      }
      report = new StormReport(run, others);
    }
    if (json) {
      Json.print(out, report);
    } else {
      out.println(String.join(System.lineSeparator(), report.lines()));
      out.flush();
    }
    return report.run().doubled() == 0 ? ExitStatus.DONE : ExitStatus.NO;
  }

  private PoolSpec pool() {
    String name = "storm-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt());
    return PoolSpec.of(name, blocks.stream().map(Block::parse).toList());
  }

  private List<Rival> chosenRivals() {
    return rivals.equals(List.of(ALL))
        ? Arrays.asList(Rival.values())
        : rivals.stream().map(Rival::of).distinct().toList();
  }

  /** Runs the allocators one after another on one database and measures them in the same way. */
  private final class Races {
    private final CloseAtExit atExit;
    private final Database database;
    private final DatabaseProcessor processor;

    Races(CloseAtExit atExit, Database database) {
      this.atExit = atExit;
      this.database = database;
      try (Connection connection = database.connectionPool("storm-watch", 1).getConnection()) {
        this.processor = DatabaseProcessor.of(connection);
      } catch (SQLException e) {
        throw database.failure(e);
      }
    }

    StormReport.Run runPools(Storm storm) throws InterruptedException {
      Connections connections = atExit.add(new Connections("storm", storm.instances()));
      StormReport.Run run =
          run(
              storm,
              REHEARSAL_CLIENTS,
              "mintmark",
              acted -> new PoolAllocator(acted, connections.pools()));
      atExit.closeLast();
      return run;
    }

    StormReport.Run runSlices(Storm storm) throws InterruptedException {
      Connections connections = atExit.add(new Connections("slices", storm.instances()));
      StormReport.Run run =
          run(
              storm,
              REHEARSAL_CLIENTS,
              "slices",
              acted -> new SlicedAllocator(acted, connections.pools()));
      atExit.closeLast();
      return run;
    }

    StormReport.Run runServers(Storm storm, int count) throws InterruptedException {
      StormServers servers = atExit.add(StormServers.start(count, database.address()));
      List<URI> addresses = servers.addresses();
      Pools pools = Pools.over(database.connectionPool("storm-parent", 1));
      StormReport.Run run =
          run(
              storm,
              HTTP_REHEARSAL_CLIENTS,
              "mintmark",
              acted -> new HttpAllocator(acted, servers, addresses, pools));
      atExit.closeLast();
      pools.close();
      return run;
    }

    StormReport.Run runRival(Storm storm, Rival rival) throws InterruptedException {
      String schema = storm.pool().name().replace('-', '_');
      Connections connections = atExit.add(new Connections(rival.label(), storm.instances()));
      StormReport.Run run =
          run(
              storm,
              REHEARSAL_CLIENTS,
              rival.label(),
              acted -> new RivalAllocator(acted, rival, schema, connections.pools()));
      atExit.closeLast();
      return run;
    }

    private StormReport.Run run(
        Storm storm, int rehearsing, String name, Function<Storm, Storm.Allocator> setup)
        throws InterruptedException {
      if (!cold) {
        Storm rehearsal = storm.rehearsal(rehearsing);
        Storm.Allocator allocator = atExit.add(setup.apply(rehearsal));
        allocator.run(new AnswerLog(rehearsal), answered -> {});
        atExit.closeLast();
      }
      AnswerLog log = new AnswerLog(storm);
      Storm.Allocator allocator = atExit.add(setup.apply(storm));
      OptionalLong before = processor.millis();
      try (Progress progress = Progress.of(spec, name, "answers", storm.clients())) {
        allocator.run(log, progress::moveTo);
      }
      OptionalLong after = processor.millis();
      StormReport.Run run =
          log.report(
              allocator.effort(),
              before.isPresent() && after.isPresent()
                  ? OptionalLong.of(after.getAsLong() - before.getAsLong())
                  : OptionalLong.empty());
      atExit.closeLast();
      return run;
    }

    /** One for each instance, open until this is closed: connections of a database are limited. */
    private final class Connections implements CloseAtExit.Resource {
      private final List<HikariDataSource> pools = new ArrayList<>();

      Connections(String name, int count) {
        for (int i = 0; i < count; i++) {
          pools.add(database.servingConnectionPool(name + "-" + i, 1));
        }
      }

      List<? extends DataSource> pools() {
        return pools;
      }

      @Override
      public void close() {
        pools.forEach(HikariDataSource::close);
      }
    }
  }
}
