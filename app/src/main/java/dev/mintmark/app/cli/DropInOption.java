package dev.mintmark.app.cli;

import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.PackJson;
import dev.mintmark.postgres.pack.DropIn;
import dev.mintmark.postgres.pack.DropInState;
import dev.mintmark.postgres.pack.DropInState.Absent;
import dev.mintmark.postgres.pack.DropInState.InPlace;
import dev.mintmark.postgres.pack.DropInState.Refused;
import dev.mintmark.postgres.pack.DropInState.Replaceable;
import dev.mintmark.postgres.pack.Pack;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code --compat} of the commands of {@code mintmark pack}, and what it does. */
final class DropInOption {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--compat",
      paramLabel = "FUNCTION",
      description = {
        "Only the function of yours that mints identifiers, [SCHEMA.]NAME, for example"
            + " generate_ulid: it is replaced in place by a mint of the pack. NAME:uuid if it returns"
            + " uuid, not text."
      })
  @Nullable String function;

  boolean isGiven() {
    return function != null;
  }

  DropIn of(Pack pack) {
    if (function == null) {
      throw new IllegalStateException("--compat is not given");
    }
    return pack.dropIn(function);
  }

  /** Shows what the drop-in would replace, asks on a terminal, and replaces it. */
  int install(Pack pack, DataSource connections, Confirmation confirmation, boolean json)
      throws SQLException {
    DropIn dropIn = of(pack);
    DropInState state = dropIn.look(connections);
    if (!(state instanceof Replaceable found)) {
      return report(state, json);
    }
    if (!json) {
      print(found);
    }
    out().flush();
    String name = found.function().substring(0, found.function().length() - 2);
    if (!confirmation.allows(
        "this replaces " + found.function(),
        "the name of the function",
        List.of(name, name.substring(name.indexOf('.') + 1)))) {
      return ExitStatus.NO;
    }
    InPlace done = dropIn.install(connections, found);
    if (json) {
      Json.print(out(), PackJson.DropIn.replaced(found));
    } else {
      out()
          .println(
              "function %s replaced: mintmark pack uninstall --compat %s restores it"
                  .formatted(done.function(), function));
    }
    return ExitStatus.DONE;
  }

  /** Reports the state of the drop-in. The status is 1 if it is not in place. */
  int verify(Pack pack, DataSource connections, boolean json) throws SQLException {
    DropInState state = of(pack).look(connections);
    if (state instanceof Replaceable found) {
      if (json) {
        Json.print(out(), PackJson.DropIn.of(found));
      } else {
        out().println("function " + found.function() + ": not replaced by the drop-in");
      }
      return ExitStatus.NO;
    }
    return report(state, json);
  }

  /** Restores the function that the drop-in replaced. */
  int uninstall(Pack pack, DataSource connections, boolean json) throws SQLException {
    DropInState state = of(pack).uninstall(connections);
    if (json) {
      Json.print(out(), PackJson.DropIn.of(state));
    } else if (state instanceof Replaceable restored) {
      out().println("function " + restored.function() + " restored:");
      indent(restored.definition());
    } else if (state instanceof Refused restored) {
      out().println("function " + restored.function() + " restored:");
      indent(restored.definition());
    }
    return ExitStatus.DONE;
  }

  private int report(DropInState state, boolean json) {
    if (json) {
      Json.print(out(), PackJson.DropIn.of(state));
    }
    if (state instanceof InPlace present) {
      if (!json) {
        out()
            .println(
                "function %s: the drop-in is in place%s"
                    .formatted(
                        present.function(),
                        present.restores().isPresent()
                            ? ""
                            : ", but its comment no longer keeps the definition before"));
      }
      return present.restores().isPresent() ? ExitStatus.DONE : ExitStatus.NO;
    }
    if (state instanceof Refused refused) {
      for (String reason : refused.reasons()) {
        err().println("mintmark: function " + refused.function() + ": not replaced: " + reason);
      }
    } else if (state instanceof Absent absent) {
      err()
          .println(
              "mintmark: there is no function %s() without parameters: create it with %s"
                  .formatted(function, absent.statement()));
      absent.others().forEach(other -> err().println("mintmark: there is " + other));
    }
    return ExitStatus.NO;
  }

  private void print(Replaceable found) {
    out().println("function " + found.function() + " is, and returned " + found.sample() + ":");
    indent(found.definition());
    out().println("It becomes:");
    indent(found.replacement());
    list("These use it, and will use the new function:", found.dependents());
    list(
        "These have its name in their source. PostgreSQL does not record what they call, nor where"
            + " their results are kept:",
        found.mentions());
    list("What changes besides:", found.changes());
  }

  private void list(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      out().println(title);
      lines.forEach(line -> out().println("    " + line));
    }
  }

  private void indent(String text) {
    text.lines().forEach(line -> out().println("    " + line));
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  private PrintWriter err() {
    return command.commandLine().getErr();
  }
}
