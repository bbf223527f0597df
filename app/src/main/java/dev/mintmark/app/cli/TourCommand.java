package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import dev.mintmark.embedded.EmbeddedDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code mintmark tour}: runs the main commands on a database of its own. */
@Command(
    name = "tour",
    description = {
      "Show the main things in two minutes: each command is printed, run, and its output shown.",
      "The database is a PostgreSQL in a temporary directory, which is deleted at the end and with"
          + " Ctrl-C. Nothing else is changed. On a terminal the tour waits for Enter after each step,"
          + " and q ends it; meanwhile its commands work in another terminal too. Exit status 0 if all"
          + " steps worked."
    },
    mixinStandardHelpOptions = true)
final class TourCommand implements Callable<Integer> {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static final String CATALOG =
      """
      namespace: tour
      collections:
        playlists: { kind: ulid, table: playlists }
      """;

  private static final List<Step> STEPS =
      List.of(
          new Step("Read an identifier of any kind", TourCommand::inspect),
          new Step("Mint and convert", TourCommand::mint),
          new Step("Mint in PostgreSQL, and find a ULID in a uuid column", TourCommand::search),
          new Step("Hand out two addresses to three clients", TourCommand::claim),
          new Step("Plan the migration of text keys to uuid", TourCommand::plan),
          new Step("Find what will fail", TourCommand::examine));

  @Spec CommandSpec spec;

  @Option(names = "--no-wait", description = "Do not wait for Enter between the steps.")
  boolean isUnattended;

  /**
   * A step of the tour.
   *
   * @param show shows it on a stage, with the data directory of the database
   */
  private record Step(String title, BiConsumer<TourStage, Path> show) {}

  @Override
  public Integer call() {
    PrintWriter notices = Verbosity.notices(spec);
    notices.println("starting a PostgreSQL in a temporary directory");
    notices.flush();
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(() -> Database.over(EmbeddedDatabase.startTemporary()));
      return show(new TourStage(spec, database.shownUrl()), database.directory().orElseThrow());
    } catch (TourStage.Failure e) {
      spec.commandLine().getErr().println("mintmark: the tour failed: " + e.getMessage());
      return ExitStatus.NO;
    }
  }

  private int show(TourStage stage, Path data) {
    boolean waits = !isUnattended && Confirmation.stdinIsTerminal();
    BufferedReader keys =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (int i = 0; i < STEPS.size(); i++) {
      Step step = STEPS.get(i);
      String title = "%s/%s  %s".formatted(i + 1, STEPS.size(), step.title());
      Ansi ansi = spec.commandLine().getColorScheme().ansi();
      stage.say("");
      stage.say(ansi.string("@|bold,underline " + title + "|@"));
      step.show().accept(stage, data);
      boolean isLast = i == STEPS.size() - 1;
      if (waits && !isLast && !continues(keys)) {
        stage.say("the tour ended after step %s of %s".formatted(i + 1, STEPS.size()));
        return ExitStatus.NO;
      }
    }
    stage.say("");
    stage.say(
        "That was the tour; the database is deleted now. Continue with docs/getting-started.md.");
    spec.commandLine().getOut().flush();
    return ExitStatus.DONE;
  }

  /** Waits for Enter; returns false after q or the end of stdin. */
  private boolean continues(BufferedReader keys) {
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.print("Enter continues, q ends the tour: ");
    out.flush();
    try {
      String line = keys.readLine();
      return line != null && !line.strip().equalsIgnoreCase("q");
    } catch (IOException e) {
      throw new FileException("stdin", e);
    }
  }

  private static void inspect(TourStage stage, Path data) {
    stage.say("inspect lists every plausible reading, the most likely first, field by field.");
    stage.run(ExitStatus.DONE, "inspect", ULID);
  }

  private static void mint(TourStage stage, Path data) {
    stage.say(
        "Identifiers are minted in ascending order. A ULID and a UUID are the same 128 bits.");
    String first =
        stage
            .run(ExitStatus.DONE, "mint", "--kind", "ulid", "-n", "3")
            .lines()
            .findFirst()
            .orElseThrow();
    stage.run(ExitStatus.DONE, "convert", "--to", "uuid", first);
    stage.run(ExitStatus.DONE, "convert", "--to", "time", first);
  }

  private static void search(TourStage stage, Path data) {
    stage.say("The SQL pack mints in the database. The column is uuid, people see ULIDs.");
    stage.run(ExitStatus.DONE, "pack", "install", "--data", data.toString());
    stage.sql("create table tracks (id uuid primary key default mintmark.ulid(), title text)");
    String id =
        stage.sql(
            """
            insert into tracks (title) values ('Blue Train'), ('So What')
            returning mintmark.ulid_text(id) as ulid, id, title""");
    stage.sql("select title from tracks where id = mintmark.ulid_uuid('%s')".formatted(id));
  }

  private static void claim(TourStage stage, Path data) {
    stage.say("No value is held twice, and a client that claims again gets the same value.");
    String in = "--data=" + data;
    stage.run(
        ExitStatus.DONE,
        "pool",
        "create",
        "public-ipv4",
        "--block",
        "192.0.2.0/31",
        "--lease",
        "10m",
        in);
    JsonNode held =
        Json.MAPPER.readTree(
            stage.run(
                ExitStatus.DONE, "pool", "claim", "public-ipv4", "--client", "vm-1", "--json", in));
    stage.run(ExitStatus.DONE, "pool", "claim", "public-ipv4", "--client", "vm-2", in);
    stage.say("");
    stage.say("Both addresses are held, so the third client is refused, with exit status 1:");
    stage.run(ExitStatus.NO, "pool", "claim", "public-ipv4", "--client", "vm-3", in);
    String value = held.get("value").asString();
    String token = held.get("token").asString();
    stage.say("");
    stage.say("The token of a claim renews and releases it; then the address is free again:");
    stage.run(ExitStatus.DONE, "pool", "renew", "public-ipv4", value, "--token", token, in);
    stage.run(ExitStatus.DONE, "pool", "release", "public-ipv4", value, "--token", token, in);
    stage.run(ExitStatus.DONE, "pool", "claim", "public-ipv4", "--client", "vm-3", in);
    stage.run(ExitStatus.DONE, "pool", "list", "public-ipv4", in);
    stage.run(ExitStatus.DONE, "pool", "stats", "public-ipv4", in);
  }

  private static void plan(TourStage stage, Path data) {
    stage.say("The keys of this table are text. The catalog declares them as ULIDs.");
    stage.sql(
        """
        create table playlists as
        select mintmark.ulid_text(mintmark.ulid()) as id, 'List ' || n as title from generate_series(1, 500) n""");
    stage.sql("alter table playlists add primary key (id)");
    Path catalog = data.resolve("mintmark.yaml");
    stage.say("");
    stage.say(catalog + " has:");
    CATALOG.lines().forEach(line -> stage.say("  " + line));
    write(catalog);
    stage.run(ExitStatus.DONE, "catalog", "check", catalog.toString());
    stage.say("");
    stage.say("The plan states each step, its locks and its costs before anything is changed:");
    stage.run(
        ExitStatus.DONE, "migrate", "plan", "--catalog", catalog.toString(), "--data=" + data);
  }

  private static void write(Path catalog) {
    try {
      Files.writeString(catalog, CATALOG);
    } catch (IOException e) {
      throw new FileException(catalog.toString(), e);
    }
  }

  private static void examine(TourStage stage, Path data) {
    stage.say(
        "A key of 32 bits that is nearly used up. The doctor only reads; exit status 1: it found it.");
    stage.sql(
        "create table invoices (id integer generated always as identity (start 2100000000) primary key)");
    stage.sql("insert into invoices default values");
    stage.run(ExitStatus.NO, "doctor", "--data=" + data);
  }
}
