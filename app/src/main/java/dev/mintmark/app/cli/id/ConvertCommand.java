package dev.mintmark.app.cli.id;

import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Transcoder;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.FileException;
import dev.mintmark.app.cli.common.Labels;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.cli.common.StandardOutput;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.service.MintRequest;
import dev.mintmark.warehouse.convert.Conversion;
import dev.mintmark.warehouse.convert.ConversionException;
import dev.mintmark.warehouse.convert.LineConversion;
import dev.mintmark.warehouse.convert.Reject;
import dev.mintmark.warehouse.convert.Rejects;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark convert}: identifiers from one form into another, of lines or of CSV. */
@Command(
    name = "convert",
    description = {
      "Write identifiers in another form, one a line or in the columns of CSV, in the order they"
          + " came and in constant memory.",
      "One that is malformed is told on stderr with its line and leaves nothing in its place, or"
          + " goes to --rejects; the exit status is then 1. Times are those of a ULID and of a"
          + " UUIDv7, the first 48 bits in milliseconds: mintmark inspect tells those of other"
          + " UUIDs."
    },
    mixinStandardHelpOptions = true)
public final class ConvertCommand implements Callable<Integer> {
  private static final String STANDARD = "-";

  @Spec CommandSpec spec;

  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "The identifiers. Without any, lines are read from --input.")
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

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "What is read: lines, or CSV with --csv. Default: stdin, also called -")
  @Nullable Path input;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "What is written, and replaced once it is complete; it may be the input. Default: stdout,"
              + " also called -")
  @Nullable Path output;

  @Option(
      names = "--rejects",
      paramLabel = "FILE",
      description =
          "Leave out lines and records that cannot be converted, and keep them in this CSV, with"
              + " line and reason before. It is there only if there are some.")
  @Nullable Path rejectsFile;

  @Option(
      names = "--stop-on-error",
      description = "Stop before the first line or record that cannot be converted.")
  boolean stopOnError;

  @Mixin CsvOptions csvOptions;

  /** Where rejects are kept, once there is one. */
  private @Nullable OutputFile rejected;

  @Override
  public Integer call() {
    checkOptions();
    MintRequest minting = minting();
    return ids.isEmpty() ? convertStream(minting) : convertIds(minting);
  }

  private void checkOptions() {
    Optional<String> ofCsv = csvOptions.given();
    if (!csvOptions.csv && ofCsv.isPresent()) {
      throw new IllegalArgumentException(ofCsv.get() + " is of CSV: add --csv");
    }
    if (!ids.isEmpty()
        && (csvOptions.csv || input != null || output != null || rejectsFile != null)) {
      throw new IllegalArgumentException(
          "identifiers are given: leave out --csv, --input, --output and --rejects");
    }
    if (stopOnError && rejectsFile != null) {
      throw new IllegalArgumentException("--stop-on-error and --rejects exclude one another");
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

  private MintRequest minting() {
    Optional<MintRequest> collection = collectionOptions.minting();
    if (to == Form.PURI && collection.isEmpty()) {
      throw new IllegalArgumentException("--to puri needs --collection NAME");
    }
    return collection.orElseGet(() -> MintRequest.of(Kind.ULID));
  }

  private int convertIds(MintRequest minting) {
    PrintWriter out = spec.commandLine().getOut();
    int status = ExitStatus.DONE;
    long number = 0;
    for (String id : ids) {
      number++;
      try {
        out.println(minting.write(from == null ? Form.readAny(id) : from.read(id), to));
      } catch (MalformedIdException e) {
        status = ExitStatus.NO;
        if (!tell(new Reject(number, String.valueOf(e.getMessage())))) {
          break;
        }
        out.println();
      }
    }
    out.flush();
    return status;
  }

  /** Tells of a reject, and answers whether to go on. */
  private boolean tell(Reject reject) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(reject);
    err.flush();
    return !stopOnError;
  }

  private int convertStream(MintRequest minting) {
    Transcoder transcoder = minting.transcoder(Optional.ofNullable(from), to);
    Conversion conversion =
        csvOptions.csv ? csvOptions.conversion(transcoder) : LineConversion.of(transcoder);
    if (rejectsFile != null) {
      OutputFile.check("rejects", rejectsFile);
    }
    try (CloseAtExit files = new CloseAtExit();
        InputStream in = openInput()) {
      return convert(conversion, in, files);
    } catch (ConversionException e) {
      String why =
          e.isKeptAside() ? e.getMessage() + ": --rejects FILE leaves it out" : e.getMessage();
      spec.commandLine().getErr().println("mintmark: " + inputName() + ": " + why);
      return ExitStatus.NO;
    } catch (IOException e) {
      throw new FileException(inputName(), e);
    }
  }

  private int convert(Conversion conversion, InputStream in, CloseAtExit files) throws IOException {
    Optional<OutputFile> file =
        file(output).map(place -> files.add(OutputFile.open("output", place)));
    OutputStream out =
        file.map(OutputFile::stream)
            .orElseGet(() -> NamedStreams.writing("stdout", StandardOutput.bytesOf(spec)));
    Conversion.Outcome outcome;
    try {
      outcome = convert(conversion, in, out, rejects(files));
    } catch (FileException e) {
      if (file.isEmpty() && e.isOfBrokenPipe()) {
        return ExitStatus.DONE; // nobody reads on
      }
      throw e;
    }
    if (outcome.stopped() && file.isPresent()) {
      spec.commandLine().getErr().println("mintmark: nothing was written to " + output);
    } else {
      // First: where the output replaces the input, what was rejected is nowhere else.
      Optional.ofNullable(rejected).ifPresent(OutputFile::complete);
      file.ifPresent(OutputFile::complete);
      tellWhereRejectsAre(outcome);
    }
    return outcome.rejected() == 0 ? ExitStatus.DONE : ExitStatus.NO;
  }

  private Conversion.Outcome convert(
      Conversion conversion, InputStream in, OutputStream out, Rejects rejects) throws IOException {
    Optional<Long> size = sizeOfInput();
    try (Progress progress =
        size.map(bytes -> Progress.ofBytesAfterTwoSeconds("convert", bytes))
            .orElseGet(() -> Progress.afterTwoSeconds("convert", "rows", Progress.TOTAL_UNKNOWN))) {
      return conversion.convert(
          in, out, rejects, (bytes, rows) -> progress.moveTo(size.isPresent() ? bytes : rows));
    }
  }

  private InputStream openInput() {
    InputStream in = file(input).map(this::openFile).orElse(System.in);
    return NamedStreams.reading(inputName(), in);
  }

  private InputStream openFile(Path file) {
    if (!Files.exists(file)) {
      throw new IllegalArgumentException(inputName() + ": there is no such file");
    }
    if (Files.isDirectory(file)) {
      throw new IllegalArgumentException(inputName() + ": that is a directory, expected a file");
    }
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw new FileException(inputName(), e);
    }
  }

  /** Empty where it cannot be known: of a stream. */
  private Optional<Long> sizeOfInput() throws IOException {
    Optional<Path> file = file(input).filter(Files::isRegularFile);
    return file.isPresent() ? Optional.of(Files.size(file.get())) : Optional.empty();
  }

  private String inputName() {
    return file(input).map(file -> "input " + file).orElse("stdin");
  }

  /** The file that is meant; empty for a standard stream. */
  private static Optional<Path> file(@Nullable Path given) {
    return Optional.ofNullable(given).filter(file -> !file.toString().equals(STANDARD));
  }

  private Rejects rejects(CloseAtExit files) {
    Path place = rejectsFile;
    if (place == null) {
      return new Rejects.InPlace(this::tell);
    }
    return new Rejects.Aside(
        () -> {
          rejected = files.add(OutputFile.open("rejects", place));
          return rejected.stream();
        });
  }

  /** Says in which file they are; without any, takes away the file of an earlier run. */
  private void tellWhereRejectsAre(Conversion.Outcome outcome) throws IOException {
    if (rejected != null) {
      spec.commandLine()
          .getErr()
          .println(
              "%,d of %,d rows rejected: they are in %s"
                  .formatted(outcome.rejected(), outcome.rows(), rejectsFile));
    } else if (rejectsFile != null && Files.isRegularFile(rejectsFile)) {
      Files.delete(rejectsFile);
    }
  }
}
