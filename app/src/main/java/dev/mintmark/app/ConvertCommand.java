package dev.mintmark.app;

import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.app.Main.ExitStatus;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark convert}: identifiers from one form into another, line by line. */
@Command(
    name = "convert",
    description = {
      "Write identifiers in another form, one a line, in the order they came.",
      "A line that is no identifier is told on stderr with its number and leaves an empty line; the"
          + " exit status is then 1. Times are those of a ULID and of a UUIDv7, the first 48 bits in"
          + " milliseconds: mintmark inspect tells those of other UUIDs."
    },
    mixinStandardHelpOptions = true)
final class ConvertCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "The identifiers. Without any, lines are read from stdin.")
  List<String> ids = List.of();

  @Option(
      names = "--to",
      paramLabel = "FORM",
      required = true,
      converter = Labels.OfForm.class,
      completionCandidates = Labels.OfForm.class,
      description = "How they are written: ${COMPLETION-CANDIDATES}")
  Form to;

  @Option(
      names = "--from",
      paramLabel = "FORM",
      converter = Labels.OfForm.class,
      description = "How they are read. Default: as each looks")
  @Nullable Form from;

  @Mixin CollectionOptions collectionOptions;

  @Option(names = "--stop-on-error", description = "Stop at the first line that is no identifier.")
  boolean stopOnError;

  @Override
  public Integer call() {
    Minting minting = minting();
    Stream<String> lines =
        ids.isEmpty()
            ? new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).lines()
            : ids.stream();
    try (Progress progress = Progress.afterTwoSeconds("convert", "lines", Progress.TOTAL_UNKNOWN)) {
      return convert(lines.iterator(), minting, progress);
    }
  }

  private int convert(Iterator<String> lines, Minting minting, Progress progress) {
    PrintWriter out = spec.commandLine().getOut();
    int status = ExitStatus.DONE;
    long number = 0;
    while (lines.hasNext()) {
      String line = lines.next();
      number++;
      try {
        out.println(minting.write(from == null ? Form.readAny(line) : from.read(line), to));
      } catch (MalformedIdException e) {
        status = ExitStatus.NO;
        spec.commandLine().getErr().println("line " + number + ": " + e.getMessage());
        spec.commandLine().getErr().flush();
        if (stopOnError) {
          break;
        }
        out.println();
      }
      if (progress.isDue(number)) {
        progress.moveTo(number);
        if (out.checkError()) {
          break; // nobody reads on
        }
      }
    }
    out.flush();
    return status;
  }

  private Minting minting() {
    Optional<Minting> collection = collectionOptions.minting();
    if (to == Form.PURI && collection.isEmpty()) {
      throw new IllegalArgumentException("--to puri needs --collection NAME");
    }
    return collection.orElseGet(() -> Minting.of(Kind.ULID));
  }
}
