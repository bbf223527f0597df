package dev.mintmark.app.cli.common;

import dev.mintmark.app.access.Audit;
import dev.mintmark.app.access.AuditEntry;
import dev.mintmark.app.database.Database;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Puts a command that changes something into the audit: before it begins, and again when it has
 * ended. A database that has no table for the audit has no audit: {@code mintmark serve} and {@code
 * mintmark key create} create the table.
 */
public final class CommandAudit {
  /** Options that say where the database is, perhaps with a password, or how results look. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "--database-url",
          PoolDatabaseOptions.OPTION,
          "--sequence-url",
          "--data",
          "--catalog",
          "--json",
          "--yes",
          "--quiet",
          "--verbose");

  private final CommandSpec spec;
  private final boolean changes;

  private CommandAudit(CommandSpec spec, boolean changes) {
    this.spec = spec;
    this.changes = changes;
  }

  /** A piece of work; returns the exit status. */
  public interface Work<E extends Exception> {
    int run() throws E;
  }

  /**
   * The audit of a command.
   *
   * @param changing names of commands that change something; {@code NAME --option} if one does so
   *     with this option alone, {@code NAME !--option} if it does not with this option
   */
  public static CommandAudit of(CommandSpec spec, Collection<String> changing) {
    ParseResult parsed = spec.commandLine().getParseResult();
    boolean changes =
        changing.stream()
            .map(name -> name.split(" ", 2))
            .anyMatch(
                name ->
                    name[0].equals(spec.name()) && (name.length == 1 || isMet(name[1], parsed)));
    return new CommandAudit(spec, changes);
  }

  private static boolean isMet(String condition, ParseResult parsed) {
    return condition.startsWith("!")
        ? !parsed.hasMatchedOption(condition.substring(1))
        : parsed.hasMatchedOption(condition);
  }

  /** Runs the command, with an entry in the audit if it changes something. */
  public <E extends Exception> int record(Database database, Work<E> work) throws E {
    if (!changes || !database.hasAccessTables()) {
      return work.run();
    }
    database.createAccessTables(); // An earlier version may have created them.
    Audit audit = Audit.over(database.ownConnections("mintmark-audit"));
    AuditEntry begun = audit.begin(entry(spec));
    String outcome = "failed";
    try {
      outcome = "exit " + work.run();
      return Integer.parseInt(outcome.substring("exit ".length()));
    } finally {
      audit.end(begun.ended(outcome));
    }
  }

  /** The entry of a command that begins. */
  public static AuditEntry entry(CommandSpec spec) {
    ParseResult parsed = spec.commandLine().getParseResult();
    String target =
        parsed.matchedPositionals().stream()
            .limit(2)
            .flatMap(positional -> positional.originalStringValues().stream())
            .limit(2)
            .collect(Collectors.joining(" "));
    String detail =
        parsed.matchedArgs().stream()
            .filter(arg -> !isLeftOut(arg))
            .map(CommandAudit::text)
            .collect(Collectors.joining(" "));
    String command = spec.qualifiedName().replaceFirst("^\\S+ ", "");
    return AuditEntry.begun(Instant.now(), actor(), command, target, detail);
  }

  private static boolean isLeftOut(ArgSpec arg) {
    return arg instanceof OptionSpec option && LEFT_OUT.contains(option.longestName());
  }

  private static String text(ArgSpec arg) {
    String values = String.join(" ", arg.originalStringValues());
    return arg instanceof OptionSpec option ? option.longestName() + " " + values : values;
  }

  private static AuditEntry.Actor actor() {
    return new AuditEntry.Actor(
        "command:" + System.getProperty("user.name", ""), "", machine(), Optional.empty());
  }

  private static String machine() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
