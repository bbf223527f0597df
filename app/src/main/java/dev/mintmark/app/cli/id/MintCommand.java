package dev.mintmark.app.cli.id;

import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.MintCache;
import dev.mintmark.MintOptions;
import dev.mintmark.Order;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Labels;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.service.MintRequest;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mintmark mint}: new identifiers, one a line. */
@Command(
    name = "mint",
    description = "Mint identifiers, one a line.",
    mixinStandardHelpOptions = true)
public final class MintCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = Labels.OfKind.class,
      completionCandidates = Labels.OfKind.class,
      description = "The kind: ${COMPLETION-CANDIDATES}. Default: uuidv7")
  @Nullable Kind kind;

  @Mixin CollectionOptions collectionOptions;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "The number of identifiers. Default: ${DEFAULT-VALUE}")
  long count;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      converter = Labels.OfOrder.class,
      completionCandidates = Labels.OfOrder.class,
      description =
          "The order within a millisecond, for ulid, uuidv7 and typeid: ${COMPLETION-CANDIDATES}."
              + " Default: the order that the collection declares, else ascending")
  @Nullable Order order;

  @Option(
      names = "--node",
      paramLabel = "NUMBER",
      description =
          "The node number, required for snowflake and tsid. No other process may use the same number.")
  @Nullable Integer node;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description = "The type prefix, required for typeid; for example user.")
  @Nullable String prefix;

  @Option(
      names = "--at",
      paramLabel = "INSTANT",
      converter = InstantText.class,
      description = "The time in the identifiers, for example 2026-01-31T12:00:00Z. Default: now")
  @Nullable Instant at;

  @Option(
      names = "--to",
      paramLabel = "FORM",
      converter = Labels.OfForm.class,
      completionCandidates = Labels.OfForm.class,
      description = "The form to print: ${COMPLETION-CANDIDATES}. Default: the form of the kind")
  @Nullable Form form;

  @Override
  public Integer call() {
    if (count < 1) {
      throw new IllegalArgumentException("-n is " + count + ": expected 1 or more");
    }
    MintCache mints = at == null ? MintCache.of(MintOptions.DEFAULT) : MintCache.at(at);
    Supplier<String> source = minting().source(mints, Optional.ofNullable(form));

    PrintWriter out = spec.commandLine().getOut();
    try (Progress progress = Progress.afterTwoSeconds("mint", "ids", count)) {
      for (long minted = 0; minted < count; minted++) {
        out.println(source.get());
        if (progress.isDue(minted)) {
          progress.moveTo(minted);
          if (out.checkError()) {
            break; // broken pipe
          }
        }
      }
    }
    out.flush();
    return ExitStatus.DONE;
  }

  private MintRequest minting() {
    Optional<MintRequest> collection = collectionOptions.minting();
    if (collection.isPresent() && kind != null) {
      throw new IllegalArgumentException("--kind and --collection cannot be combined");
    }
    return collection
        .orElseGet(() -> MintRequest.of(kind == null ? Kind.UUIDV7 : kind))
        .with(
            new MintRequest.Settings(
                Optional.ofNullable(order),
                Optional.ofNullable(node),
                Optional.ofNullable(prefix)));
  }

  /** Reads an instant in ISO-8601. */
  public static final class InstantText implements ITypeConverter<Instant> {
    @Override
    public Instant convert(String text) {
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        throw new TypeConversionException("expected an instant such as 2026-01-31T12:00:00Z");
      }
    }
  }
}
