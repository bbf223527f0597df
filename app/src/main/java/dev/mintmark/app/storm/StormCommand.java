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
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntFunction;
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

  /** Enough for the compilers, also over HTTP, and more than the addresses of a rehearsal. */
  private static final int REHEARSAL_CLIENTS = 20_000;

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
          "Run the instances of Mintmark and of each rival as N server processes, called over HTTP,"
              + " instead of connections of this process. The article's query runs beside Mintmark"
              + " unless --rival says otherwise.")
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
              + " article-cached, random-guess, for-update, for-update-random, nowait,"
              + " static-shards, all, none.")
  @Nullable List<String> rivals;

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
          "--processes is %s: expected 1 to %s".formatted(processes, PROCESSES_MAX));
    }
    if (processes != null && spec.commandLine().getParseResult().hasMatchedOption("--instances")) {
      throw new IllegalArgumentException(
          "--instances and --processes: expected one of them: each process is an instance");
    }
    if (rivalClients != null && (rivalClients < 1 || rivalClients > clients)) {
      throw new IllegalArgumentException(
          "--rival-clients is %s: expected 1 to those of --clients, %s"
              .formatted(rivalClients, clients));
    }
    int count = processes == null ? instances : processes;
    Storm ours = new Storm(pool(), clients, count, idle);
    Storm theirs =
        new Storm(ours.pool(), rivalClients == null ? clients : rivalClients, count, idle);
    if (slices && processes != null) {
      throw new IllegalArgumentException(
          "--slices and --processes: expected one of them: servers have no slices");
    }
    List<Rival> chosen = rivals();
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
      boolean overHttp = processes != null;
      StormReport.Run run = overHttp ? races.runServers(ours) : races.runPools(ours);
      Map<String, StormReport.Run> others = new LinkedHashMap<>();
      if (slices) {
        others.put("slices", races.runSlices(ours));
      }
      for (Rival rival : chosen) {
        others.put(
            rival.label(),
            overHttp ? races.runRivalServers(theirs, rival) : races.runRival(theirs, rival));
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

  private List<Rival> rivals() {
    if (rivals == null) {
      return processes == null ? List.of() : List.of(Rival.ARTICLE);
    }
    return Rival.chosen(rivals);
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
          run(storm, "mintmark", acted -> new PoolAllocator(acted, connections.pools()));
      atExit.closeLast();
      return run;
    }

    StormReport.Run runSlices(Storm storm) throws InterruptedException {
      Connections connections = atExit.add(new Connections("slices", storm.instances()));
      StormReport.Run run =
          run(storm, "slices", acted -> new SlicedAllocator(acted, connections.pools()));
      atExit.closeLast();
      return run;
    }

    StormReport.Run runServers(Storm storm) throws InterruptedException {
      StormServers servers = startServers(storm, number -> List.of(StormServer.class.getName()));
      Pools pools = Pools.over(database.connectionPool("storm-parent", 1));
      StormReport.Run run =
          run(
              storm,
              "mintmark",
              acted -> {
                String name = acted.pool().name();
                pools.create(acted.pool());
                return new HttpAllocator(
                    acted, servers, "v1/pools/" + name + "/claims", () -> pools.delete(name));
              });
      atExit.closeLast();
      pools.close();
      return run;
    }

    StormReport.Run runRivalServers(Storm storm, Rival rival) throws InterruptedException {
      String schema = schema(storm);
      StormServers servers =
          startServers(storm, number -> RivalServer.arguments(rival, number, schema));
      Connections parent = atExit.add(new Connections(rival.label(), 1));
      StormReport.Run run =
          run(
              storm,
              rival.label(),
              acted ->
                  new HttpAllocator(
                      acted,
                      servers,
                      RivalServer.PATH,
                      new RivalTable(acted, rival, schema, parent.pools().get(0))));
      atExit.closeLast();
      atExit.closeLast();
      return run;
    }

    private StormServers startServers(Storm storm, IntFunction<List<String>> program) {
      StormServers servers =
          atExit.add(StormServers.start(storm.instances(), program, database.address()));
      servers.await();
      return servers;
    }

    StormReport.Run runRival(Storm storm, Rival rival) throws InterruptedException {
      String schema = schema(storm);
      Connections connections = atExit.add(new Connections(rival.label(), storm.instances()));
      StormReport.Run run =
          run(
              storm,
              rival.label(),
              acted -> new RivalAllocator(acted, rival, schema, connections.pools()));
      atExit.closeLast();
      return run;
    }

    private static String schema(Storm storm) {
      return storm.pool().name().replace('-', '_');
    }

    private StormReport.Run run(Storm storm, String name, Function<Storm, Storm.Allocator> setup)
        throws InterruptedException {
      if (!cold) {
        Storm rehearsal = storm.rehearsal(REHEARSAL_CLIENTS);
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
