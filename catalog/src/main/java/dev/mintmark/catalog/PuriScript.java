package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An ES module for browsers that reads the pURIs of a catalog, compact or not: {@code
 * readPuri('b.p.123')}. It has no dependencies, at most 2,048 bytes and a row for each collection
 * with codes, and nothing else of the catalog: no tables, no faces and no aliases.
 *
 * <p>It reads what {@link Puris#toCompact} writes, and every pURI that {@link Puri#parse} reads.
 * The identifier of a compact pURI becomes its canonical text; that of another is not changed. It
 * checks the range of the numbers of sequences, and not that of others.
 *
 * <p>Immutable and thread-safe.
 */
public final class PuriScript {
  private static final String NO_CODES = "const CODES = {};";
  private static final String UUID_SAMPLE = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f";

  private final Catalog catalog;
  private final Puris puris;

  private PuriScript(Catalog catalog) {
    this.catalog = catalog;
    this.puris = Puris.of(catalog);
  }

  /** The module of a catalog, of all its namespaces. */
  public static PuriScript of(Catalog catalog) {
    return new PuriScript(catalog);
  }

  /** Returns the source of the module. Lines end with {@code \n}. */
  public String text() {
    String rows =
        catalog.namespaces().stream()
            .flatMap(
                namespace ->
                    namespace.collections().stream()
                        .flatMap(collection -> row(namespace, collection).stream()))
            .collect(Collectors.joining());
    return source().replace(NO_CODES, "const CODES = {\n" + rows + "};");
  }

  private Optional<String> row(NamespaceSpec namespace, CollectionSpec collection) {
    return namespace
        .code()
        .flatMap(first -> collection.code().map(second -> first + "." + second))
        .map(
            codes ->
                "  '%s': [%s],%n"
                    .formatted(
                        codes,
                        Stream.of(
                                namespace.name() + ":" + collection.name(),
                                form(namespace, collection),
                                IdType.of(collection).textPrefix(),
                                collection.width() == 0 ? "" : "" + collection.width())
                            .map(text -> "'" + text + "'")
                            .collect(Collectors.joining(", ")))
                    .replace(System.lineSeparator(), "\n"));
  }

  /** How the identifier of a compact pURI becomes its canonical text. */
  private String form(NamespaceSpec namespace, CollectionSpec collection) {
    Kind.Storage storage = collection.kind().storage();
    if (storage == Kind.Storage.BIGINT) {
      return collection.kind().has(Kind.Option.WIDTH) ? "number" : "text";
    }
    if (storage == Kind.Storage.TEXT) {
      return "text";
    }
    String text =
        puris
            .resolve(Puri.of(namespace.name(), collection.name(), UUID_SAMPLE))
            .identifier()
            .substring(IdType.of(collection).textPrefix().length());
    if (text.equals(UUID_SAMPLE)) {
      return "uuid";
    }
    return text.equals(text.toLowerCase(Locale.ROOT)) ? "lower" : "ulid";
  }

  private static String source() {
    try (InputStream source =
        Objects.requireNonNull(PuriScript.class.getResourceAsStream("puri.js"))) {
      return new String(source.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
