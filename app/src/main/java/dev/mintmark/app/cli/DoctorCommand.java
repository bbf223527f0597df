package dev.mintmark.app.cli;

import dev.mintmark.Catalog;
import dev.mintmark.app.cli.common.CalledAs;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.service.DeclaredMints;
import dev.mintmark.app.view.DoctorReportJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.operations.doctor.CatalogDraft;
import dev.mintmark.operations.doctor.Check;
import dev.mintmark.operations.doctor.Diagnosis;
import dev.mintmark.operations.doctor.Doctor;
import dev.mintmark.operations.doctor.DoctorOptions;
import dev.mintmark.operations.doctor.Finding;
import dev.mintmark.operations.doctor.Severity;
import dev.mintmark.operations.doctor.UnseenTable;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark doctor}: reports problems with the identifiers of a database. */
@Command(
    name = "doctor",
    description = {
      "Report present and future problems with the identifiers of a database, worst first.",
      "The command only reads, takes no lock that blocks other sessions, and works with any role."
          + " It reports what it could not look at.",
    },
    mixinStandardHelpOptions = true,
    modelTransformer = DoctorCommand.Checks.class)
final class DoctorCommand implements Callable<Integer> {
  /** The most lines on what could not be looked at; {@code --json} prints all of them. */
  private static final int UNSEEN_MAX = 10;

  private static final List<String> OF_REPORTS =
      List.of("--schema", "--min-severity", "--fail-on", "--strict", "--json");

  @Spec CommandSpec spec;

  @Mixin DatabaseOptions database;

  @Option(
      names = "--schema",
      paramLabel = "NAME",
      description = "Only the tables of this schema. Repeatable.")
  Set<String> schemas = new TreeSet<>();

  @Option(
      names = "--min-severity",
      paramLabel = "SEVERITY",
      defaultValue = "notice",
      description = "The lowest severity to print: notice, warning or critical. Default: notice")
  Severity least;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      defaultValue = "warning",
      description =
          "The lowest severity for exit status 1: notice, warning or critical. Default: warning")
  Severity failing;

  @Option(
      names = "--strict",
      description =
          "Exit status 1 too if a table could not be looked at that mintmark.yaml does not declare.")
  boolean strict;

  @Option(names = "--json", description = "Print the report as JSON.")
  boolean json;

  @Option(
      names = "--catalog",
      description =
          "Instead, print a first catalog that declares the keys as they are:"
              + " ${ROOT-COMMAND-NAME} doctor --catalog > mintmark.yaml. A plan for it changes only what its"
              + " remarks name.")
  boolean drafting;

  /** Adds the checks to the help. */
  static final class Checks implements IModelTransformer {
    @Override
    public CommandSpec transform(CommandSpec command) {
      Stream<String> checks =
          Arrays.stream(Check.values())
              .flatMap(
                  check ->
                      Stream.of(
                          "  " + check.id() + ": " + check.summary(),
                          "      " + check.threshold()));
      command
          .usageMessage()
          .footer(
              Stream.of(
                      Stream.of("", "Checks and their thresholds:"),
                      checks,
                      Stream.of(
                          "",
                          "Exit status: 0 no findings at or above --fail-on, or a catalog was printed, 1"
                              + " findings, or no table could be looked at, or a table of mintmark.yaml"
                              + " could not, 2 wrong usage, 3 the database failed."))
                  .flatMap(lines -> lines)
                  .map(DoctorCommand::asFormat)
                  .toArray(String[]::new));
      return command;
    }
  }

  /** Escapes a line: picocli formats the lines of a footer. */
  private static String asFormat(String line) {
    return line.replace("%", "%%");
  }

  @Override
  public Integer call() {
    if (drafting) {
      checkAlone();
    }
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database opened = atExit.open(database::openAsItIs);
      DataSource connections = opened.connection();
      try {
        return drafting ? draft(connections) : examine(connections);
      } catch (SQLException e) {
        throw opened.failure(e);
      }
    }
  }

  /** Rejects options of the report, which is not printed. */
  private void checkAlone() {
    for (String option : OF_REPORTS) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new IllegalArgumentException(
            "--catalog prints a catalog of the whole database and cannot be combined with "
                + option);
      }
    }
  }

  private int draft(DataSource connections) throws SQLException {
    PrintWriter out = spec.commandLine().getOut();
    out.print(CatalogDraftPrinter.yaml(CatalogDraft.of(connections)));
    out.flush();
    return ExitStatus.DONE;
  }

  private int examine(DataSource connections) throws SQLException {
    DoctorOptions options = DoctorOptions.defaults().withSchemas(schemas);
    Optional<Catalog> catalog = CatalogFile.readIfPresent(spec, CatalogFile.DEFAULT);
    Diagnosis diagnosis =
        Doctor.over(connections).examine(options, catalog.map(DeclaredMints::of).orElse(List.of()));
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, DoctorReportJson.of(diagnosis, least));
    } else {
      print(out, diagnosis);
    }
    out.flush();
    boolean fails =
        diagnosis.worst().filter(severity -> severity.compareTo(failing) >= 0).isPresent();
    return fails || isUnseen(diagnosis, catalog) ? ExitStatus.NO : ExitStatus.DONE;
  }

  /** Whether the report says too little for exit status 0. */
  private boolean isUnseen(Diagnosis diagnosis, Optional<Catalog> catalog) {
    List<UnseenTable> unseen = diagnosis.unseenTables();
    if (diagnosis.isBlind()
        || (strict && !(unseen.isEmpty() && diagnosis.notLookedAt().isEmpty()))) {
      return true;
    }
    if (unseen.isEmpty() || catalog.isEmpty()) {
      return false;
    }
    Set<String> declared =
        catalog.get().collections().stream()
            .flatMap(collection -> collection.table().stream())
            .collect(Collectors.toSet());
    return unseen.stream()
        .anyMatch(
            table ->
                declared.contains(table.name())
                    || declared.contains(table.schema() + "." + table.name()));
  }

  private void print(PrintWriter out, Diagnosis diagnosis) {
    Ansi ansi = spec.commandLine().getColorScheme().ansi();
    for (Finding finding : diagnosis.findings()) {
      if (finding.severity().compareTo(least) >= 0) {
        String head = "@|%s %s|@".formatted(style(finding.severity()), finding.severity().label());
        out.println(
            ansi.string(head)
                + " "
                + finding.check().id()
                + " "
                + PrintableText.of(finding.object()));
        out.println("  " + PrintableText.of(finding.found()));
        out.println("  remedy: " + CalledAs.in(PrintableText.of(finding.remedy())));
        out.println();
      }
    }
    printUnseen(
        out,
        diagnosis.unseenTables().stream()
            .map(
                table ->
                    "%s because %s%s"
                        .formatted(
                            table.shown(),
                            table.reason(),
                            table.remedy().map(remedy -> ": " + remedy).orElse("")))
            .toList());
    printUnseen(
        out,
        diagnosis.notLookedAt().stream()
            .map(one -> one.object() + " because " + one.reason())
            .toList());
    if (!diagnosis.unseenTables().isEmpty() || !diagnosis.notLookedAt().isEmpty()) {
      out.println();
    }
    out.println(summary(diagnosis));
  }

  private static void printUnseen(PrintWriter out, List<String> unseen) {
    unseen.stream()
        .limit(UNSEEN_MAX)
        .forEach(line -> out.println("not looked at: " + PrintableText.of(line)));
    if (unseen.size() > UNSEEN_MAX) {
      out.println("not looked at: %s more, see --json".formatted(unseen.size() - UNSEEN_MAX));
    }
  }

  private static String style(Severity severity) {
    return switch (severity) {
      case CRITICAL -> "bold,red";
      case WARNING -> "yellow";
      case NOTICE -> "faint";
    };
  }

  /** {@code 3 tables: 1 critical, 2 warning, 0 notice; 1 not looked at}. */
  private static String summary(Diagnosis diagnosis) {
    List<Severity> worstFirst = Arrays.asList(Severity.values());
    Collections.reverse(worstFirst);
    String counts =
        worstFirst.stream()
            .map(
                severity ->
                    diagnosis.findings().stream().filter(f -> f.severity() == severity).count()
                        + " "
                        + severity.label())
            .collect(Collectors.joining(", "));
    int tables = diagnosis.tables();
    return "%s %s: %s; %s not looked at"
        .formatted(
            tables, tables == 1 ? "table" : "tables", counts, diagnosis.notLookedAt().size());
  }
}
