package dev.mintmark.app.cli;

import dev.mintmark.app.access.Audit;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.access.AuditFilter;
import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.PrintableText;
import dev.mintmark.app.cli.common.StoredInstant;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.AuditPageJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PruneResultJson;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark audit}: lists, exports and prunes the audit of a database. */
@Command(
    name = "audit",
    description = "List who changed what, when, and from where, the latest first.",
    mixinStandardHelpOptions = true)
final class AuditCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin DatabaseOptions databaseOptions;

  @Option(
      names = "--actor",
      paramLabel = "ACTOR",
      description = "Only entries of this actor: key:ID, token:SUB, command:USER or loopback.")
  @Nullable String actor;

  @Option(
      names = "--action",
      paramLabel = "ACTION",
      description = "Only entries with this action: an operationId, or a command.")
  @Nullable String action;

  @Option(
      names = "--target",
      paramLabel = "TEXT",
      description = "Only entries whose target begins with this text: a pool or a key.")
  @Nullable String target;

  @Option(
      names = "--request-id",
      paramLabel = "ID",
      description = "Only entries of this HTTP request: request_id of a log line or a problem.")
  @Nullable String requestId;

  @Option(
      names = "--since",
      paramLabel = "INSTANT",
      converter = StoredInstant.class,
      description = "Only entries at or after this time.")
  @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "INSTANT",
      converter = StoredInstant.class,
      description = "Only entries before this time.")
  @Nullable Instant until;

  @Option(
      names = "--before",
      paramLabel = "ID",
      description = "Only entries before the one with this id, the last of the previous page.")
  @Nullable Long before;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "The most entries to print, 1 to 1000; not for --csv. Default: ${DEFAULT-VALUE}")
  int limit;

  @Option(names = "--csv", description = "Print all entries as CSV, with a header.")
  boolean csv;

  @Option(
      names = "--prune-before",
      paramLabel = "INSTANT",
      converter = StoredInstant.class,
      description =
          "Delete the entries before this time, and print their number. On a terminal the command"
              + " asks for the word audit.")
  @Nullable Instant pruneBefore;

  @Mixin Confirmation confirmation;

  @Option(names = "--json", description = "Print the entries as JSON.")
  boolean json;

  @Override
  public Integer call() {
    if (csv && json) {
      throw new IllegalArgumentException("expected either --csv or --json");
    }
    if (pruneBefore != null) {
      for (String option :
          List.of(
              "--actor",
              "--action",
              "--target",
              "--request-id",
              "--since",
              "--until",
              "--before",
              "--limit",
              "--csv")) {
        if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
          throw new IllegalArgumentException(
              "--prune-before deletes all entries before a time and cannot be combined with "
                  + option);
        }
      }
    }
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(databaseOptions::openToUse);
      database.createAccessTables();
      return run(Audit.over(database.connection()));
    } finally {
      out().flush();
    }
  }

  private int run(Audit audit) {
    if (pruneBefore != null) {
      return prune(audit, pruneBefore);
    }
    AuditFilter filter =
        new AuditFilter(
            Optional.ofNullable(actor),
            Optional.ofNullable(action),
            Optional.ofNullable(target),
            Optional.ofNullable(requestId),
            Optional.ofNullable(since),
            Optional.ofNullable(until));
    OptionalLong from = before == null ? OptionalLong.empty() : OptionalLong.of(before);
    if (csv) {
      out().println("id,at,actor,actor_name,source,action,target,detail,outcome,request_id");
      forEach(audit, filter, from, entry -> out().println(row(entry)));
      return ExitStatus.DONE;
    }
    List<AuditEntry> entries = audit.list(filter, from, limit);
    if (json) {
      Json.print(out(), AuditPageJson.of(entries, limit));
    } else {
      entries.forEach(entry -> out().println(describe(entry)));
    }
    return ExitStatus.DONE;
  }

  /** Reads all entries, a page after the other. */
  private static void forEach(
      Audit audit, AuditFilter filter, OptionalLong from, Consumer<AuditEntry> each) {
    OptionalLong next = from;
    List<AuditEntry> page;
    do {
      page = audit.list(filter, next, Audit.PAGE_MAX);
      page.forEach(each);
      if (!page.isEmpty()) {
        next = OptionalLong.of(page.get(page.size() - 1).id());
      }
    } while (page.size() == Audit.PAGE_MAX);
  }

  private int prune(Audit audit, Instant end) {
    if (!confirmation.allows(
        "this deletes all entries of the audit before %s; it cannot be undone".formatted(end),
        "the word",
        List.of("audit"))) {
      return ExitStatus.NO;
    }
    long pruned = audit.prune(end, CommandAudit.entry(spec), "exit " + ExitStatus.DONE);
    if (json) {
      Json.print(out(), new PruneResultJson(pruned));
    } else {
      out().println(pruned + " entries deleted from before " + end);
    }
    return ExitStatus.DONE;
  }

  private static String describe(AuditEntry entry) {
    return Stream.of(
            entry.at().toString(),
            entry.actor(),
            entry.source(),
            entry.action(),
            entry.target(),
            entry.outcome().orElse("unknown outcome"))
        .filter(part -> !part.isEmpty())
        .map(PrintableText::of)
        .collect(Collectors.joining("  "));
  }

  private static String row(AuditEntry entry) {
    return Stream.of(
            Long.toString(entry.id()),
            entry.at().toString(),
            entry.actor(),
            entry.actorName(),
            entry.source(),
            entry.action(),
            entry.target(),
            entry.detail(),
            entry.outcome().orElse(""),
            entry.requestId().orElse(""))
        .map(AuditCommand::field)
        .collect(Collectors.joining(","));
  }

  /**
   * A field of CSV (RFC 4180). A spreadsheet runs a text that begins with one of {@code = + - @} as
   * a formula, so a quote precedes it.
   */
  private static String field(String text) {
    String safe = text.matches("(?s)[=+\\-@\\t\\r].*") ? "'" + text : text;
    return safe.matches("(?s).*[\",\r\n].*") ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
