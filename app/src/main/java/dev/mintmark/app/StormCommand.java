package dev.mintmark.app;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.Main.ExitStatus;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark storm}: the article's experiment, on a real database. */
@Command(
    name = "storm",
    description = {
      "Let 500,000 clients ask for 2,044 addresses at once and count what happens.",
      "Works on a database that is thrown away, unless you name one; there it removes what it made."
    },
    mixinStandardHelpOptions = true)
final class StormCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "500000",
      description = "How many ask, once each. Default: ${DEFAULT-VALUE}")
  int clients;

  @Option(
      names = "--instances",
      paramLabel = "N",
      defaultValue = "50",
      description = "Through how many instances, one connection each. Default: ${DEFAULT-VALUE}")
  int instances;

  @Option(
      names = "--block",
      paramLabel = "CIDR",
      split = ",",
      defaultValue = "45.67.80.0/22,203.0.112.0/22",
      description = "The addresses. Default: ${DEFAULT-VALUE}")
  List<String> blocks;

  @Option(names = "--rival", description = "Run the article's own query beside it.")
  boolean rival;

  @Option(names = "--json", description = "Print the figures as JSON.")
  boolean json;

  @Override
  public Integer call() throws InterruptedException {
    Storm storm = new Storm(pool(), clients, instances);
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    PrintWriter people = json ? err : out;
    people.println(String.join(System.lineSeparator(), storm.napkin()));
    people.println();
    people.flush();

    if (databaseOptions.named().isEmpty()) {
      err.println("setting up a database that is thrown away");
      err.flush();
    }
    StormReport report;
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.add(databaseOptions.openToThrowAway());
      StormReport.Run ours =
          run(atExit, storm, "mintmark", () -> new PoolAllocator(storm, database));
      StormReport.Run theirs =
          rival
              ? run(
                  atExit, storm, "the article's query", () -> new ArticleAllocator(storm, database))
              : null;
      report = new StormReport(ours, theirs);
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

  private static StormReport.Run run(
      CloseAtExit atExit, Storm storm, String name, Supplier<Storm.Allocator> setup)
      throws InterruptedException {
    AnswerLog log = new AnswerLog(storm.clients());
    Storm.Allocator allocator = atExit.add(setup.get());
    try (Progress progress = Progress.of(name, "answers", storm.clients())) {
      allocator.run(log, progress::moveTo);
    }
    StormReport.Run run = log.report(storm, allocator.statements());
    atExit.closeLast();
    return run;
  }
}
