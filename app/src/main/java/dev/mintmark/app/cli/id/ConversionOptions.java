package dev.mintmark.app.cli.id;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.Transcoder;
import dev.mintmark.app.cli.common.Labels;
import dev.mintmark.app.cli.common.SecretOption;
import dev.mintmark.app.service.CollectionForms;
import dev.mintmark.app.service.MintRequest;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say what identifiers are converted from and to. */
final class ConversionOptions {
  private static final String MASK = Form.MASK.label();

  @Option(
      names = "--to",
      paramLabel = "FORM",
      required = true,
      converter = Labels.OfForm.class,
      completionCandidates = Labels.OfForm.class,
      description = "The form to write: ${COMPLETION-CANDIDATES}")
  Form to;

  @Option(
      names = "--from",
      paramLabel = "KIND",
      completionCandidates = Labels.OfSource.class,
      description =
          "The kind or the form to read: ${COMPLETION-CANDIDATES}; or the name of a collection of the"
              + " catalog. Default: that of --collection, or detected for each identifier")
  @Nullable String from;

  @Mixin CollectionOptions collectionOptions;

  @Mixin SecretOption secret;

  /** How each identifier is converted. */
  sealed interface Plan {
    /**
     * Converts an identifier.
     *
     * @throws MalformedIdException if it cannot be read, or has no such form
     */
    String write(String text);

    Transcoder transcoder();
  }

  /** Forms of 128 bits, in bytes. */
  private record OfBits(MintRequest minting, IdReader reader, Form to) implements Plan {
    @Override
    public String write(String text) {
      return minting.write(reader, text, to);
    }

    @Override
    public Transcoder transcoder() {
      return minting.transcoder(reader, to);
    }
  }

  /** What needs the catalog for each identifier. */
  private record OfTexts(UnaryOperator<String> conversion) implements Plan {
    @Override
    public String write(String text) {
      return conversion.apply(text);
    }

    @Override
    public Transcoder transcoder() {
      return Transcoder.ofTexts(conversion, Puri.LENGTH_MAX);
    }
  }

  /**
   * Returns how identifiers are converted.
   *
   * @throws IllegalArgumentException if the options do not say enough, or contradict each other
   */
  Plan plan() {
    Optional<MintRequest> minting = collectionOptions.minting();
    Optional<CollectionSpec> collection = minting.flatMap(MintRequest::collection);
    if (MASK.equals(from)) {
      CollectionSpec masked =
          collection.orElseThrow(
              () -> new IllegalArgumentException("--from mask requires --collection NAME"));
      return new OfTexts(forms().opening(masked, Optional.of(to)));
    }
    boolean hasBits =
        collection.filter(spec -> spec.kind().storage() == Kind.Storage.UUID).isPresent();
    if (to.isOfCollection() && (to != Form.PURI || !hasBits)) {
      IdReader reader = collection.isEmpty() || hasBits ? reader(minting) : IdReader.ranked();
      return new OfTexts(forms().writing(to, collection, reader));
    }
    return new OfBits(
        minting.orElseGet(() -> MintRequest.of(Kind.ULID)),
        withPuris(reader(minting), collection),
        to);
  }

  private CollectionForms forms() {
    return CollectionForms.of(collectionOptions.catalog(), secret::keyring);
  }

  private IdReader reader(Optional<MintRequest> minting) {
    return from == null
        ? minting.map(MintRequest::reader).orElseGet(IdReader::ranked)
        : named(from);
  }

  /** Returns a reader with pURIs: those of the collection that identifiers are read as, if any. */
  private IdReader withPuris(IdReader reader, Optional<CollectionSpec> collection) {
    Optional<CollectionSpec> named =
        from == null || IdReader.labels().contains(from)
            ? collection
            : collectionOptions.declared(from);
    return named
        .map(spec -> reader.withPuris(collectionOptions::puris, spec))
        .orElseGet(() -> reader.withPuris(collectionOptions::puris));
  }

  /** Returns the reader of a kind or a form, or of a collection with another name than those. */
  private IdReader named(String label) {
    try {
      return IdReader.parse(label);
    } catch (IllegalArgumentException e) {
      return collectionOptions
          .declared(label)
          .map(spec -> IdReader.of(IdType.of(spec.kind(), spec.prefix().orElse(""))))
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "--from " + Quoted.of(label) + ": " + e.getMessage()));
    }
  }
}
