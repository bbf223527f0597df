package dev.mintmark.app.cli.id;

import dev.mintmark.MalformedIdException;
import dev.mintmark.Transcoder;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.cli.common.StandardOutput;
import dev.mintmark.app.cli.common.Verbosity;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.warehouse.convert.Conversion;
import dev.mintmark.warehouse.convert.ConversionException;
import dev.mintmark.warehouse.convert.LineConversion;
import dev.mintmark.warehouse.convert.Output;
import dev.mintmark.warehouse.convert.Reject;
import dev.mintmark.warehouse.convert.Rejects;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark convert}: converts identifiers between forms, in lines or in CSV. */
@Command(
    name = "convert",
    description = {
      "Convert identifiers to another form, one per line or in columns of CSV, in input order and"
          + " in constant memory.",
      "A malformed identifier is reported on stderr with its line number and replaced by an empty"
          + " value, or written to --rejects; the exit status is then 1.",
      "--to time writes the time of the reading that ${ROOT-COMMAND-NAME} inspect shows first; --from KIND or"
          + " --collection NAME fixes it. An identifier without a time is rejected.",
      "--to puri, compact and mask need the catalog: a pURI names its collection itself, --collection"
          + " NAME is that of other identifiers. --from mask opens the faces of --collection NAME."
    },
    mixinStandardHelpOptions = true)
public final class ConvertCommand implements Callable<Integer> {
  private static final String STANDARD = "-";

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "The identifiers. Default: the lines of --input")
  List<String> ids = List.of();

  @Mixin ConversionOptions conversionOptions;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "The input: lines, or CSV with --csv. Default: stdin, which - also selects")
  @Nullable Path input;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "The output file, which is replaced when it is complete, and compressed if its name ends"
              + " with .gz. It may be the input. Default: stdout, which - also selects")
  @Nullable Path output;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Omit lines and records that cannot be converted and write them to this CSV file, after"
              + " their line number and the reason. The file is created only if there are any, and"
              + " compressed if its name ends with .gz.")
  @Nullable Path rejectsFile;

  @Option(
      names = "--stop-on-error",
      description = "Stop at the first line or record that cannot be converted.")
  boolean stopOnError;

  @Mixin CsvOptions csvOptions;

  /** The file of rejects; null until there is one. */
  private @Nullable OutputFile rejected;

  @Override
  public Integer call() {
    checkOptions();
    ConversionOptions.Plan plan = conversionOptions.plan();
    return ids.isEmpty() ? convertStream(plan) : convertIds(plan);
  }

  private void checkOptions() {
    Optional<String> ofCsv = csvOptions.given();
    if (!csvOptions.csv && ofCsv.isPresent()) {
      throw new IllegalArgumentException(ofCsv.get() + " requires --csv");
    }
    if (!ids.isEmpty()
        && (csvOptions.csv || input != null || output != null || rejectsFile != null)) {
      throw new IllegalArgumentException(
          "identifiers on the command line cannot be combined with --csv, --input, --output and --rejects");
    }
    if (stopOnError && rejectsFile != null) {
      throw new IllegalArgumentException("--stop-on-error and --rejects cannot be combined");
    }
    if (rejectsFile != null && file(rejectsFile).isEmpty()) {
      throw new IllegalArgumentException("--rejects -: expected a file");
    }
    if (rejectsFile != null && (isSame(rejectsFile, input) || isSame(rejectsFile, output))) {
      throw new IllegalArgumentException(
          "--rejects %s is the input or the output: expected another file".formatted(rejectsFile));
    }
  }

  private static boolean isSame(Path file, @Nullable Path other) {
    try {
      return other != null
          && (file.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())
              || (Files.exists(file) && Files.exists(other) && Files.isSameFile(file, other)));
    } catch (IOException e) {
      throw new FileException(file.toString(), e);
    }
  }

  private int convertIds(ConversionOptions.Plan plan) {
    PrintWriter out = spec.commandLine().getOut();
    int status = ExitStatus.DONE;
    long number = 0;
    for (String id : ids) {
      number++;
      try {
        out.println(plan.write(id));
      } catch (MalformedIdException e) {
        status = ExitStatus.NO;
        if (!report(new Reject(number, String.valueOf(e.getMessage())))) {
          break;
        }
        out.println();
      }
    }
    out.flush();
    return status;
  }

  /** Prints a reject and returns whether to continue. */
  private boolean report(Reject reject) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(reject);
    err.flush();
    return !stopOnError;
  }

  private int convertStream(ConversionOptions.Plan plan) {
    Transcoder transcoder = plan.transcoder();
    Conversion conversion =
        csvOptions.csv ? csvOptions.conversion(transcoder) : LineConversion.of(transcoder);
    if (rejectsFile != null) {
      OutputFile.check("rejects", rejectsFile);
    }
    try (CloseAtExit files = new CloseAtExit();
        InputStream in = openInput()) {
      TextInput text = TextInput.of(inputName(), in);
      if (text.isGzip()
          && input != null
          && output != null
          && isSame(input, output)
          && !OutputFile.isGzip(output)) {
        throw new IllegalArgumentException(
            inputName()
                + ": is gzip, and the output would not be: choose another --output, or a name with"
                + " .gz");
      }
      return convert(conversion, text, files);
    } catch (TextInput.NotText e) {
      spec.commandLine().getErr().println("mintmark: " + e.getMessage());
      return ExitStatus.NO;
    } catch (ConversionException e) {
      String why =
          e.isKeptAside() ? e.getMessage() + ": use --rejects FILE to omit it" : e.getMessage();
      spec.commandLine().getErr().println("mintmark: " + inputName() + ": " + why);
      return ExitStatus.NO;
    } catch (IOException e) {
      throw new FileException(inputName(), e);
    }
  }

  private int convert(Conversion conversion, TextInput in, CloseAtExit files) throws IOException {
    Optional<OutputFile> file =
        file(output).map(place -> files.add(OutputFile.open("output", place)));
    Output out =
        file.map(OutputFile::output)
            .orElseGet(
                () ->
                    new Output.Stream(
                        NamedStreams.writing(StandardOutput.NAME, StandardOutput.bytesOf(spec))));
    Optional<Long> size = in.isGzip() ? Optional.empty() : sizeOfInput();
    Conversion.Outcome outcome;
    try {
      outcome = convert(conversion, in, size, out, rejects(files));
    } catch (FileException e) {
      if (e.isOfBrokenPipe(StandardOutput.NAME)) {
        return ExitStatus.DONE; // Its reader, such as head, needs no more.
      }
      throw e;
    } catch (IOException e) {
      throw file.map(written -> written.failure(e)).orElseThrow(() -> e);
    }
    if (outcome.stopped() && file.isPresent()) {
      spec.commandLine().getErr().println("mintmark: nothing was written to " + output);
    } else {
      // First: if the output replaces the input, the rejects exist nowhere else.
      Optional.ofNullable(rejected).ifPresent(OutputFile::complete);
      file.ifPresent(OutputFile::complete);
      reportRejects(outcome);
    }
    reportReadings(outcome);
    return outcome.rejected() == 0 ? ExitStatus.DONE : ExitStatus.NO;
  }

  private Conversion.Outcome convert(
      Conversion conversion, TextInput in, Optional<Long> size, Output out, Rejects rejects)
      throws IOException {
    try (Progress progress =
        size.map(bytes -> Progress.ofBytesAfterTwoSeconds(spec, "convert", bytes))
            .orElseGet(
                () -> Progress.afterTwoSeconds(spec, "convert", "rows", Progress.TOTAL_UNKNOWN))) {
      return conversion.convert(
          in.stream(),
          out,
          rejects,
          (bytes, rows) -> progress.moveTo(size.isPresent() ? bytes : rows));
    }
  }

  private InputStream openInput() {
    return file(input).map(this::openFile).orElse(System.in);
  }

  private InputStream openFile(Path file) {
    if (!Files.exists(file)) {
      throw new FileException(inputName(), "no such file");
    }
    if (Files.isDirectory(file)) {
      throw new FileException(inputName(), "is a directory: expected a file");
    }
    try {
      // Only this stream can tell whether a named pipe has input.
      return Files.isRegularFile(file)
          ? Files.newInputStream(file)
          : new FileInputStream(file.toFile());
    } catch (IOException e) {
      throw new FileException(inputName(), e);
    }
  }

  /** Empty for a stream, whose size is unknown. */
  private Optional<Long> sizeOfInput() throws IOException {
    Optional<Path> file = file(input).filter(Files::isRegularFile);
    return file.isPresent() ? Optional.of(Files.size(file.get())) : Optional.empty();
  }

  private String inputName() {
    return file(input).map(file -> "input " + file).orElse("stdin");
  }

  /** Returns the file; empty for a standard stream. */
  private static Optional<Path> file(@Nullable Path given) {
    return Optional.ofNullable(given).filter(file -> !file.toString().equals(STANDARD));
  }

  private Rejects rejects(CloseAtExit files) {
    Path place = rejectsFile;
    if (place == null) {
      return new Rejects.InPlace(this::report);
    }
    return new Rejects.Aside(
        () -> {
          rejected = files.add(OutputFile.open("rejects", place));
          return rejected.stream();
        });
  }

  /** Says once if identifiers were read as different kinds, and have different times therefore. */
  private void reportReadings(Conversion.Outcome outcome) {
    if (outcome.readings().size() > 1) {
      String counts =
          outcome.readings().entrySet().stream()
              .map(entry -> "%,d as %s".formatted(entry.getValue(), entry.getKey()))
              .collect(Collectors.joining(", "));
      Verbosity.notices(spec)
          .println(
              "mintmark: identifiers were read as different kinds: %s; --from KIND reads all as one"
                  .formatted(counts));
    }
  }

  /** Names the file of rejects; without rejects, deletes the file of an earlier run. */
  private void reportRejects(Conversion.Outcome outcome) throws IOException {
    if (rejected != null) {
      Verbosity.notices(spec)
          .println(
              "%,d of %,d rows rejected and written to %s"
                  .formatted(outcome.rejected(), outcome.rows(), rejectsFile));
    } else if (rejectsFile != null && Files.isRegularFile(rejectsFile)) {
      Files.delete(rejectsFile);
    }
  }
}
