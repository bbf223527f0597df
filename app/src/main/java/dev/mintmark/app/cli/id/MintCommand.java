package dev.mintmark.app.cli.id;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.Order;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.Labels;
import dev.mintmark.app.cli.common.Progress;
import dev.mintmark.app.service.MintRequest;
import dev.mintmark.app.service.MintedKind;
import dev.mintmark.app.service.ProcessMints;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MintedIdsJson;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
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
  /** The most identifiers that are kept in memory for one object. */
  private static final int JSON_MAX = 100_000;

  @Spec CommandSpec spec;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = Labels.OfMintedKind.class,
      completionCandidates = Labels.OfMintedKind.class,
      description = "The kind: ${COMPLETION-CANDIDATES}. Default: uuidv7")
  @Nullable MintedKind kind;

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
          "The node number, required for snowflake and tsid. No other process may use the same"
              + " number.")
  @Nullable Integer node;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description = "The type prefix, required for typeid; for example user.")
  @Nullable String prefix;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      description =
          "The namespace of the name, required for uuidv3 and uuidv5: dns, url, oid, x500 or a"
              + " UUID.")
  @Nullable String namespace;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "The name that becomes the id, required for uuidv3 and uuidv5; for example example.org."
              + " Equal names have equal ids.")
  @Nullable String name;

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

  @Option(
      names = "--json",
      description =
          "Print one JSON object, with the kind, the collection and the identifiers; at most "
              + JSON_MAX
              + ".")
  boolean json;

  @Override
  public Integer call() {
    if (count < 1) {
      throw new IllegalArgumentException("-n is " + count + ": expected 1 or more");
    }
    if (json && count > JSON_MAX) {
      throw new IllegalArgumentException(
          "-n is %s: --json prints at most %s at once".formatted(count, JSON_MAX));
    }
    ProcessMints mints = at == null ? ProcessMints.ofNow() : ProcessMints.at(at);
    Optional<MintRequest> collection = collectionOptions.minting();
    MintedKind minted =
        collection
            .map(declared -> (MintedKind) new MintedKind.OfColumn(declared.kind()))
            .orElseGet(() -> kind == null ? new MintedKind.OfColumn(Kind.UUIDV7) : kind);
    Supplier<String> source = source(mints, collection, minted);

    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      Json.print(
          out,
          new MintedIdsJson(
              minted.label(),
              collection.flatMap(MintRequest::collection).map(CollectionSpec::name).orElse(null),
              Stream.generate(source).limit(count).toList()));
      return ExitStatus.DONE;
    }
    try (Progress progress = Progress.afterTwoSeconds(spec, "mint", "ids", count)) {
      for (long done = 0; done < count; done++) {
        out.println(source.get());
        if (progress.isDue(done)) {
          progress.moveTo(done);
          if (out.checkError()) {
            break; // broken pipe
          }
        }
      }
    }
    out.flush();
    return ExitStatus.DONE;
  }

  private Supplier<String> source(
      ProcessMints mints, Optional<MintRequest> collection, MintedKind minted) {
    MintRequest.Settings settings =
        new MintRequest.Settings(
            Optional.ofNullable(order),
            Optional.ofNullable(node),
            Optional.ofNullable(prefix),
            Optional.ofNullable(namespace),
            Optional.ofNullable(name));
    if (collection.isEmpty()) {
      return minted.source(mints, settings, Optional.ofNullable(form));
    }
    if (kind != null) {
      throw new IllegalArgumentException("--kind and --collection cannot be combined");
    }
    return collection.get().with(settings).source(mints.cache(), Optional.ofNullable(form));
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
