package dev.mintmark.app.cli.id;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.DurationText;
import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.cli.common.SecretOption;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.RowSearchJson;
import dev.mintmark.postgres.search.RowAnswer;
import dev.mintmark.postgres.search.RowColumns;
import dev.mintmark.postgres.search.RowFinder;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark find}: the row that an identifier names, in whichever collection it is. */
@Command(
    name = "find",
    description = {
      "Find the row that an identifier names, in whichever collection of the catalog it is.",
      "The identifier may have any form: a ULID, a UUID, PM000123, a pURI, a mask. Every collection"
          + " that reads it is asked, with the rights of the role that connects, and only by an"
          + " index: what has none, is locked or may not be read is reported as not looked at. The"
          + " command only reads."
    },
    footer = {
      "",
      "Exit status: 0 a row was found, 1 no collection has it, 2 wrong usage, 3 the database failed,"
          + " or no row was found and a collection could not be looked at."
    },
    mixinStandardHelpOptions = true)
public final class FindCommand implements Callable<Integer> {
  /** The most characters of a value that are printed; {@code --json} has more. */
  private static final int VALUE_SHOWN_MAX = 200;

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "ID",
      description = "The identifier; one that begins with - follows the argument --.")
  String id = "";

  @Mixin DatabaseOptions database;

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description = "The catalog. Default: ${DEFAULT-VALUE}")
  Path catalogFile = Path.of("mintmark.yaml");

  @Option(
      names = "--collection",
      paramLabel = "NAME",
      description = "Only this collection, or NAMESPACE:NAME of another's. Repeatable.")
  List<String> collections = List.of();

  @Option(
      names = "--columns",
      paramLabel = "NAME",
      split = ",",
      description =
          "The columns to print, separated by commas. Default: those that find in the catalog names,"
              + " otherwise the primary key and the identifier")
  List<String> columns = List.of();

  @Option(names = "--all", description = "Print all columns.")
  boolean all;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "1s",
      description =
          "The longest time of a statement on a table; a lock is waited for half as long."
              + " Default: ${DEFAULT-VALUE}")
  String timeout = "1s";

  @Mixin SecretOption secret = new SecretOption();

  @Option(names = "--json", description = "Print the answers of all collections as JSON.")
  boolean json;

  @Override
  public Integer call() {
    Catalog catalog = CatalogFile.read(spec, catalogFile);
    RowFinder plain =
        RowFinder.of(catalog).withTimeouts(DurationText.parse(timeout), RowFinder.TIMEOUT_MAX);
    RowFinder finder = secret.keyringIfGiven().map(plain::withFaces).orElse(plain);
    Map<String, RowColumns> asked = asked(finder.collections());
    List<RowAnswer> answers = find(finder, asked);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, RowSearchJson.of(id, answers));
    } else {
      print(out, answers);
    }
    out.flush();
    return status(answers);
  }

  private List<RowAnswer> find(RowFinder finder, Map<String, RowColumns> asked) {
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database opened = atExit.open(database::openAsItIs);
      try {
        return finder.find(opened.connection(), id, asked);
      } catch (SQLException e) {
        throw opened.failure(e);
      }
    }
  }

  /** What to read of which collections. */
  private Map<String, RowColumns> asked(Map<String, CollectionSpec> known) {
    if (known.isEmpty()) {
      throw new IllegalArgumentException(
          catalogFile + " declares no collection with a table: add table and column");
    }
    if (all && !columns.isEmpty()) {
      throw new IllegalArgumentException("--all and --columns cannot be combined");
    }
    Map<String, RowColumns> asked = new LinkedHashMap<>();
    for (String name : collections.isEmpty() ? known.keySet() : collections) {
      CollectionSpec collection = known.get(name);
      if (collection == null) {
        throw new IllegalArgumentException(
            "--collection %s: %s declares no such collection with a table: expected one of %s"
                .formatted(Quoted.of(name), catalogFile, String.join(", ", known.keySet())));
      }
      asked.put(name, columns(collection));
    }
    return asked;
  }

  private RowColumns columns(CollectionSpec collection) {
    if (all) {
      return new RowColumns.All();
    }
    return columns.isEmpty() ? RowSearch.usualColumns(collection) : new RowColumns.Named(columns);
  }

  private void print(PrintWriter out, List<RowAnswer> answers) {
    PrintWriter err = spec.commandLine().getErr();
    Ansi ansi = spec.commandLine().getColorScheme().ansi();
    List<String> none = new ArrayList<>();
    boolean isFound = false;
    for (RowAnswer answer : answers) {
      if (answer instanceof RowAnswer.Found found) {
        isFound = true;
        print(out, ansi, found);
      } else if (answer instanceof RowAnswer.NotLookedAt unseen) {
        err.println(
            CalledAs.in(
                "mintmark: not looked at: %s because %s"
                    .formatted(unseen.collection(), PrintableText.of(unseen.detail()))));
      } else {
        none.add(answer.collection());
      }
    }
    if (!isFound && !none.isEmpty()) {
      err.println(
          "mintmark: no row of %s in %s".formatted(Quoted.of(id.strip()), String.join(", ", none)));
    }
    err.flush();
  }

  private static void print(PrintWriter out, Ansi ansi, RowAnswer.Found found) {
    int width = found.columns().stream().mapToInt(String::length).max().orElse(0);
    for (List<RowAnswer.Value> row : found.rows()) {
      out.println(
          ansi.string("@|bold " + found.collection() + "|@")
              + "  "
              + PrintableText.of(found.table()));
      for (int i = 0; i < row.size(); i++) {
        String column = PrintableText.of(found.columns().get(i));
        out.println(
            "  " + column + " ".repeat(width - column.length() + 2) + text(ansi, row.get(i)));
      }
      out.println();
    }
    if (found.hasMore()) {
      out.println("%s has more rows of this identifier".formatted(found.collection()));
    }
  }

  private static String text(Ansi ansi, RowAnswer.Value value) {
    return value
        .text()
        .map(
            text -> {
              String beginning = beginning(text);
              boolean isWhole = !value.isCut() && beginning.length() == text.length();
              return PrintableText.of(beginning) + (isWhole ? "" : "…");
            })
        .orElseGet(() -> ansi.string("@|faint null|@"));
  }

  private static String beginning(String text) {
    return text.codePointCount(0, text.length()) <= VALUE_SHOWN_MAX
        ? text
        : text.substring(0, text.offsetByCodePoints(0, VALUE_SHOWN_MAX));
  }

  private static int status(List<RowAnswer> answers) {
    if (answers.stream().anyMatch(RowAnswer.Found.class::isInstance)) {
      return ExitStatus.DONE;
    }
    return answers.stream().anyMatch(RowAnswer.NotLookedAt.class::isInstance)
        ? ExitStatus.FAILED
        : ExitStatus.NO;
  }
}
