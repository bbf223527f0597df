package dev.mintmark.app.cli.id;

import dev.mintmark.Catalog;
import dev.mintmark.DeclaredFormats;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puris;
import dev.mintmark.Utf8;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.Confirmation;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.view.InspectionJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.ReadingFieldJson;
import dev.mintmark.app.view.ReadingJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark inspect}: every plausible reading of an identifier, field by field. */
@Command(
    name = "inspect",
    description = {
      "Show every plausible reading of an identifier, field by field, most likely first.",
      "Quotes, brackets and white space around an identifier are ignored; it may be part of a URL."
          + " Exit status 1 if an identifier has no reading; the message says what is wrong with it."
    },
    mixinStandardHelpOptions = true)
public final class InspectCommand implements Callable<Integer> {
  private static final Catalog UNDECLARED = new Catalog("undeclared", List.of(), List.of());

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description =
          "The identifiers; those that begin with - follow the argument --. Default: the lines of"
              + " stdin")
  List<String> ids = List.of();

  @Option(
      names = "--catalog",
      paramLabel = "FILE",
      defaultValue = "mintmark.yaml",
      description =
          "The catalog of compact pURIs and of your own formats, if it is there. Default:"
              + " ${DEFAULT-VALUE}")
  Path catalogFile;

  @Option(names = "--json", description = "Print the readings as JSON.")
  boolean json;

  @Override
  public Integer call() {
    List<InspectionJson> inspected = inspected();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(out, inspected);
    } else {
      inspected.forEach(one -> print(out, one));
    }
    out.flush();
    return complain(inspected) ? ExitStatus.NO : ExitStatus.DONE;
  }

  private List<InspectionJson> inspected() {
    if (ids.isEmpty() && Confirmation.stdinIsTerminal()) {
      throw new ParameterException(
          spec.commandLine(), "expected an identifier, or identifiers on stdin");
    }
    Catalog catalog = CatalogFile.readIfPresent(spec, catalogFile).orElse(UNDECLARED);
    Puris puris = Puris.of(catalog);
    DeclaredFormats formats = DeclaredFormats.of(catalog.formats());
    return ids.isEmpty()
        ? inspectedStdin(puris, formats)
        : ids.stream()
            .flatMap(id -> InspectionJson.lines(id).stream())
            .map(text -> InspectionJson.inspect(text, puris, formats))
            .toList();
  }

  private static List<InspectionJson> inspectedStdin(Puris puris, DeclaredFormats formats) {
    List<InspectionJson> inspected = new ArrayList<>();
    StdinLines lines = new StdinLines();
    for (Optional<byte[]> next = lines.next(); next.isPresent(); next = lines.next()) {
      String shown = StdinLines.shown(next.get());
      if (!shown.isBlank()) {
        inspected.add(inspected(next.get(), shown, puris, formats));
      }
    }
    return inspected;
  }

  private static InspectionJson inspected(
      byte[] line, String shown, Puris puris, DeclaredFormats formats) {
    try {
      return InspectionJson.inspect(Utf8.read(line), puris, formats);
    } catch (MalformedIdException e) {
      return new InspectionJson(shown, List.of(), e.getMessage());
    }
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
        spec.commandLine().getErr().println("mintmark: " + one.nearestMiss());
      }
    }
    return unread;
  }
}
