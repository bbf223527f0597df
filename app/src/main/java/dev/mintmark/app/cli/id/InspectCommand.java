package dev.mintmark.app.cli.id;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.InspectionJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.ReadingFieldJson;
import dev.mintmark.app.view.ReadingJson;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark inspect}: every plausible reading of an identifier, field by field. */
@Command(
    name = "inspect",
    description = {
      "Show every plausible reading of an identifier, field by field, most likely first.",
      "Exit status 1 if an identifier has no reading."
    },
    mixinStandardHelpOptions = true)
public final class InspectCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "ID", arity = "1..*", description = "The identifiers.")
  List<String> ids = List.of();

  @Option(names = "--json", description = "Print the readings as JSON.")
  boolean json;

  @Override
  public Integer call() {
    List<InspectionJson> inspected = ids.stream().map(InspectionJson::inspect).toList();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, inspected);
    } else {
      inspected.forEach(one -> print(out, one));
    }
    out.flush();
    return complain(inspected) ? ExitStatus.NO : ExitStatus.DONE;
  }

  private void print(PrintWriter out, InspectionJson inspected) {
    for (ReadingJson reading : inspected.readings()) {
      Ansi ansi = spec.commandLine().getColorScheme().ansi();
      String time = reading.time() == null ? "" : "  " + reading.time();
      out.println(ansi.string("@|bold " + reading.kind() + "|@" + time));
      for (ReadingFieldJson field : reading.fields()) {
        out.printf(
            "  %-12s bits %3d-%-3d chars %2d-%-2d  %s%n",
            field.name(),
            field.bits().get(0),
            field.bits().get(1) - 1,
            field.text().get(0),
            field.text().get(1) - 1,
            field.value() + "  " + ansi.string("@|faint " + field.meaning() + "|@"));
      }
      reading.forms().forEach((form, text) -> out.printf("  %-15s %s%n", form, text));
      out.println(ansi.string("  @|faint reason:|@ ") + reading.reason());
      for (String warning : reading.warnings()) {
        out.println(ansi.string("  @|yellow warning:|@ ") + warning);
      }
      out.println();
    }
  }

  private boolean complain(List<InspectionJson> inspected) {
    boolean unread = false;
    for (InspectionJson one : inspected) {
      if (one.readings().isEmpty()) {
        unread = true;
        spec.commandLine()
            .getErr()
            .println("mintmark: " + Quoted.of(one.input()) + " is not a known form of identifier");
      }
    }
    return unread;
  }
}
