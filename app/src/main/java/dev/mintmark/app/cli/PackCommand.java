package dev.mintmark.app.cli;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.cli.pack.PackBenchCommand;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PackJson;
import dev.mintmark.app.view.PackJson.Differing;
import dev.mintmark.postgres.pack.Difference;
import dev.mintmark.postgres.pack.Installation;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pack.Removal;
import dev.mintmark.postgres.pack.Removal.Removed;
import dev.mintmark.postgres.pack.Removal.StillUsed;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mintmark pack}: manages the SQL pack of a database. Creates no other objects. */
@Command(
    name = "pack",
    description = "Functions that mint and convert identifiers inside PostgreSQL 14 and later.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = PackBenchCommand.class)
final class PackCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  /** Prints the help if no subcommand is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(err());
    return ExitStatus.USAGE;
  }

  @Command(
      name = "install",
      description = {
        "Install the pack, upgrade an earlier version, or repair objects that differ.",
        "Exit status 1 if that is refused; nothing is changed then. Exit status 1 also if a domain",
        "cannot be repaired; everything else is.",
        "With --compat, replace a function of yours as well: its definition and what uses it are",
        "printed first, and a terminal is asked. Only the owner of the function may do that. Its",
        "definition is kept in its comment, from which uninstall --compat restores it."
      },
      mixinStandardHelpOptions = true)
  int install(
      @Mixin SchemaOption in,
      @Mixin DropInOption dropIn,
      @Mixin Confirmation confirmation,
      @Mixin DatabaseOptions database,
      @Option(names = "--json", description = "Print the result as JSON.") boolean json) {
    return withPack(
        in,
        database,
        (pack, connections) -> {
          if (dropIn.isGiven()) {
            return dropIn.install(pack, connections, confirmation, json);
          }
          Installation done = pack.install(connections);
          if (json) {
            Json.print(
                out(),
                new PackJson.Installed(
                    in.schema,
                    done.version(),
                    done.before().orElse(null),
                    done.differences().stream().map(Differing::of).toList(),
                    done.remaining().stream().map(Differing::of).toList()));
          } else {
            out().println(in.shown() + ": " + describe(done));
          }
          return reportRemaining(in, done.remaining());
        });
  }

  @Command(
      name = "verify",
      description = {
        "Report how the installed pack differs from this version, and its drop-ins.",
        "Changes nothing. Exit status 1 if the pack differs, or a drop-in was replaced.",
        "With -v, print both definitions of changed objects.",
        "With --compat, report only that function: exit status 1 if the drop-in is not in place."
      },
      mixinStandardHelpOptions = true)
  int verify(
      @Mixin SchemaOption in,
      @Mixin DropInOption dropIn,
      @Mixin DatabaseOptions database,
      @Option(names = "--json", description = "Print the differences as JSON.") boolean json) {
    return withPack(
        in,
        database,
        (pack, connections) -> {
          if (dropIn.isGiven()) {
            return dropIn.verify(pack, connections, json);
          }
          List<Differing> differences =
              pack.verify(connections).stream().map(Differing::of).toList();
          Map<String, Boolean> dropIns = pack.dropIns(connections);
          if (json) {
            Json.print(out(), PackJson.Verified.of(in.schema, Pack.VERSION, differences, dropIns));
          } else if (differences.isEmpty()) {
            out().println(in.shown() + ": no differences from version " + Pack.VERSION);
          } else if (isAbsent(differences)) {
            out().println(in.shown() + ": no pack is installed");
          } else {
            differences.forEach(difference -> print(difference, Verbosity.of(spec).isVerbose()));
          }
          if (!json) {
            dropIns.forEach(this::printDropIn);
          }
          return differences.isEmpty() && !dropIns.containsValue(false)
              ? ExitStatus.DONE
              : ExitStatus.NO;
        });
  }

  @Command(
      name = "print",
      description = {
        "Print the pack as a script for psql or a migration tool. Needs no database.",
        "With --compat, print the script that replaces that function once the pack is installed."
      },
      mixinStandardHelpOptions = true)
  int print(@Mixin SchemaOption in, @Mixin DropInOption dropIn) {
    out().print(dropIn.isGiven() ? dropIn.of(in.pack()).sql() : in.pack().sql());
    out().flush();
    return ExitStatus.DONE;
  }

  @Command(
      name = "uninstall",
      description = {
        "Drop the pack, and its schema if it contains nothing else.",
        "Exit status 1 if other objects use the pack; nothing is changed then.",
        "With --compat, restore only that function and its comment. The pack stays."
      },
      mixinStandardHelpOptions = true)
  int uninstall(
      @Mixin SchemaOption in,
      @Mixin DropInOption dropIn,
      @Mixin DatabaseOptions database,
      @Option(names = "--json", description = "Print the dropped objects as JSON.") boolean json) {
    return withPack(
        in,
        database,
        (pack, connections) -> {
          if (dropIn.isGiven()) {
            return dropIn.uninstall(pack, connections, json);
          }
          Removal removal = pack.uninstall(connections);
          List<String> dropped = removal instanceof Removed removed ? removed.objects() : List.of();
          List<String> dependents =
              removal instanceof StillUsed used ? used.dependents() : List.of();
          if (json) {
            Json.print(out(), new PackJson.Uninstalled(in.schema, dropped, dependents));
          } else {
            dropped.forEach(object -> out().println("dropped " + object));
            dependents.forEach(out()::println);
          }
          if (!dependents.isEmpty()) {
            err()
                .println(
                    "mintmark: %s: the listed objects (%s) use the pack, nothing was dropped: drop or change them first"
                        .formatted(in.shown(), dependents.size()));
            return ExitStatus.NO;
          }
          if (dropped.isEmpty()) {
            Verbosity.notices(spec).println("mintmark: " + in.shown() + ": no pack is installed");
          }
          return ExitStatus.DONE;
        });
  }

  /** The option that selects the schema of the pack. */
  static final class SchemaOption {
    @Option(
        names = "--schema",
        paramLabel = "NAME",
        defaultValue = Pack.SCHEMA,
        description = "The schema of the pack. Default: ${DEFAULT-VALUE}")
    String schema;

    Pack pack() {
      return Pack.inSchema(schema);
    }

    String shown() {
      return "schema " + Quoted.of(schema);
    }
  }

  private interface Work {
    int with(Pack pack, DataSource connections) throws SQLException;
  }

  private int withPack(SchemaOption in, DatabaseOptions options, Work work) {
    Pack pack = in.pack();
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(options::openAsItIs);
      try {
        return work.with(pack, database.connection());
      } catch (SQLException e) {
        throw database.failure(e);
      }
    } finally {
      out().flush();
    }
  }

  private static String describe(Installation done) {
    int changed = done.differences().size();
    String made =
        " (" + changed + (changed == 1 ? " object" : " objects") + " created or replaced)";
    if (changed == 0) {
      return "version " + done.version() + " is already installed: nothing to do";
    }
    return done.before()
        .map(
            before ->
                before == done.version()
                    ? "version " + before + " repaired" + made
                    : "version " + before + " upgraded to version " + done.version() + made)
        .orElse("version " + done.version() + " installed" + made);
  }

  /** Reports what an installation could not correct. A changed domain makes the status 1. */
  private int reportRemaining(SchemaOption in, List<Difference> remaining) {
    int status = ExitStatus.DONE;
    for (Difference difference : remaining) {
      String what = describe(Differing.of(difference));
      if (difference instanceof Difference.Changed) {
        err()
            .println(
                "mintmark: %s: %s: not repaired, because stored values or its base type prevent it: correct the values, or drop or rename it, then install again"
                    .formatted(in.shown(), what));
        status = ExitStatus.NO;
      } else {
        err().println("mintmark: %s: %s".formatted(in.shown(), what));
      }
    }
    return status;
  }

  /** Returns whether the differences are those of a schema without a pack. */
  private static boolean isAbsent(List<Differing> differences) {
    List<String> missing =
        differences.stream()
            .filter(difference -> difference.kind().equals("missing"))
            .map(Differing::object)
            .toList();
    return missing.containsAll(List.of("function pack_version()", "sequence ulid_clock"))
        && differences.stream()
            .allMatch(
                difference ->
                    difference.kind().equals("missing") || difference.kind().equals("may-create"));
  }

  private static String describe(Differing difference) {
    String object = difference.object();
    return switch (difference.kind()) {
      case "owned-by-other" -> object + " is owned by " + difference.role();
      case "not-of-pack" -> "not of the pack: " + object + ", owned by " + difference.role();
      case "may-create" -> difference.role() + " may create functions in " + object;
      case "clock-ahead" -> object + " is ahead of the server's clock: " + difference.time();
      default -> difference.kind().replace('-', ' ') + " " + object;
    };
  }

  private void printDropIn(String function, boolean isInPlace) {
    out()
        .println(
            isInPlace
                ? "function " + function + ": the drop-in is in place"
                : "function %s: the drop-in was replaced by another definition"
                    .formatted(function));
  }

  private void print(Differing difference, boolean verbose) {
    out().println(describe(difference));
    if (verbose) {
      print("expected", difference.expected());
      print("found", difference.found());
    }
  }

  private void print(String which, @Nullable String definition) {
    if (definition != null) {
      out().println("  " + which + ":");
      definition.lines().forEach(line -> out().println("    " + line));
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
