package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Mint;
import dev.mintmark.MintOptions;
import dev.mintmark.MintSettings;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.Uuids;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pURIs of a catalog as components of an OpenAPI document, 3.0 or 3.1: the schema {@code Puri}
 * for pURIs of any type, and one for each collection, {@code TracksPuri} or, of another namespace,
 * {@code SpotifyTracksPuri}.
 *
 * <pre>{@code
 * OpenApiComponents.of(catalog).json();
 * }</pre>
 *
 * <p>{@code Puri} matches every pURI that {@link Puris#parse} reads, compact or not, of declared
 * collections and of others. The schema of a collection matches what is written: {@link
 * Puris#resolve} and {@link Puris#toCompact}. Aliases and other letter case are read as well, so a
 * server must not reject requests by it. The patterns are those of ECMA-262, with anchors. They do
 * not check the range of numbers.
 *
 * <p>Immutable and thread-safe.
 */
public final class OpenApiComponents {
  private static final String LAST = "%[89ABab][0-9A-Fa-f]";

  private static final String ASCII_ESCAPE = "%[0-7][0-9A-Fa-f]";

  /** A byte of a segment, or a character of UTF-8 as RFC 3629 section 4 defines it. */
  private static final String CHARACTER =
      Stream.of(
              "[A-Za-z0-9\\-._~!$&'()*+,;=@]",
              ASCII_ESCAPE,
              "%(?:[Cc][2-9A-Fa-f]|[Dd][0-9A-Fa-f])" + LAST,
              "%[Ee](?:0%[ABab][0-9A-Fa-f]|[Dd]%[89][0-9A-Fa-f]|[1-9A-CEFa-cef]"
                  + LAST
                  + ")"
                  + LAST,
              "%[Ff](?:0%[9ABab][0-9A-Fa-f]|4%8[0-9A-Fa-f]|[1-3]" + LAST + ")(?:" + LAST + "){2}")
          .collect(Collectors.joining("|", "(?:", ")"));

  private static final String SEGMENT = CHARACTER + "+";

  /** Without U+0000, which a column of text does not hold. */
  private static final String IDENTIFIER =
      SEGMENT.replace(ASCII_ESCAPE, "%(?:0[1-9A-Fa-f]|[1-7][0-9A-Fa-f])");

  private static final String WHOLE = "(?:" + SEGMENT + ":){2}" + SEGMENT;

  private static final String COMPACT = "[A-Za-z0-9]+\\.[A-Za-z0-9]+\\." + SEGMENT;

  /** Of RFC 9562, appendix A.6. */
  private static final UUID SAMPLE = Uuids.parse("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");

  private final Catalog catalog;
  private final Puris puris;

  private OpenApiComponents(Catalog catalog) {
    this.catalog = catalog;
    this.puris = Puris.of(catalog);
  }

  /** The components of a catalog, of all its namespaces. */
  public static OpenApiComponents of(Catalog catalog) {
    return new OpenApiComponents(catalog);
  }

  /**
   * Returns an object with the property {@code components}, which is YAML too. Lines end with
   * {@code \n}.
   */
  public String json() {
    Map<String, String> schemas = new LinkedHashMap<>();
    schemas.put("Puri", schema("pURI of any type", anyPattern(), anyExample()));
    for (NamespaceSpec namespace : catalog.namespaces()) {
      for (CollectionSpec collection : namespace.collections()) {
        String names = namespace.name() + ":" + collection.name();
        schemas.put(
            free(name(namespace, collection), schemas),
            schema(
                "pURI of " + names,
                pattern(namespace, collection),
                example(namespace, collection)));
      }
    }
    return schemas.entrySet().stream()
        .map(entry -> "      %s: %s".formatted(quoted(entry.getKey()), entry.getValue()))
        .collect(
            Collectors.joining(
                ",\n", "{\n  \"components\": {\n    \"schemas\": {\n", "\n    }\n  }\n}\n"));
  }

  private static String schema(String description, String pattern, String example) {
    return Stream.of(
            "\"type\": \"string\"",
            "\"description\": " + quoted(description),
            "\"maxLength\": " + Puri.LENGTH_MAX,
            "\"pattern\": " + quoted(pattern),
            "\"example\": " + quoted(example))
        .map(line -> "        " + line)
        .collect(Collectors.joining(",\n", "{\n", "\n      }"));
  }

  private String anyPattern() {
    boolean hasCodes =
        catalog.namespaces().stream()
            .filter(namespace -> namespace.code().isPresent())
            .flatMap(namespace -> namespace.collections().stream())
            .anyMatch(collection -> collection.code().isPresent());
    return hasCodes ? "^(?:%s|%s)$".formatted(WHOLE, COMPACT) : "^" + WHOLE + "$";
  }

  private String anyExample() {
    return catalog.collections().stream()
        .findFirst()
        .map(collection -> example(catalog.own(), collection))
        .orElse("soundcloud:tracks:123");
  }

  private static String pattern(NamespaceSpec namespace, CollectionSpec collection) {
    IdType<?> type = IdType.of(collection);
    String whole =
        literal(namespace.name() + ":" + collection.name() + ":")
            + type.textPattern().orElse(IDENTIFIER);
    String compact = type.compactTextPattern().orElse(IDENTIFIER);
    return namespace
        .code()
        .flatMap(first -> collection.code().map(second -> first + "." + second + "."))
        .map(codes -> "^(?:%s|%s)$".formatted(whole, literal(codes) + compact))
        .orElse("^" + whole + "$");
  }

  private String example(NamespaceSpec namespace, CollectionSpec collection) {
    String name = collection.name();
    Puri puri =
        switch (collection.storage()) {
          case UUID -> puris.fromStored(namespace.name(), name, new ColumnValue.Uuid(SAMPLE));
          case BIGINT -> puris.fromStored(namespace.name(), name, new ColumnValue.Bigint(123));
          case TEXT -> puris.resolve(Puri.of(namespace.name(), name, text(collection)));
        };
    return puri.toString();
  }

  /** A text that the kind reads; the pURI then has the canonical one. */
  private static String text(CollectionSpec collection) {
    return switch (collection.kind().storage()) {
      case UUID -> SAMPLE.toString();
      case BIGINT -> {
        String prefix = IdType.of(collection).textPrefix();
        yield formatted(IdType.of(collection.kind(), prefix), new ColumnValue.Bigint(123));
      }
      case TEXT ->
          collection.kind().isMinted() ? minted(IdType.of(collection)) : "V1StGXR8_Z5jdHi6B-myT";
    };
  }

  private static <T> String formatted(IdType<T> type, ColumnValue stored) {
    return type.format(type.fromStored(stored));
  }

  /** The same in each run. */
  private static <T> String minted(IdType<T> type) {
    MintOptions options =
        MintOptions.DEFAULT
            .withClock(InstantSource.fixed(Uuids.time(SAMPLE).orElseThrow()))
            .withEntropy(new Random(1));
    return type.format(Mint.of(type, MintSettings.NONE, options).mint());
  }

  /** In the style of class names, which generators of code make of them. */
  private String name(NamespaceSpec namespace, CollectionSpec collection) {
    String name = namespace.equals(catalog.own()) ? "" : namespace.name() + "-";
    return Stream.of((name + collection.name()).split("[^A-Za-z0-9]+"))
            .filter(word -> !word.isEmpty())
            .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
            .collect(Collectors.joining())
        + "Puri";
  }

  /** The name, with a number behind it if another collection has it: {@code a-b} and {@code ab}. */
  private static String free(String name, Map<String, String> taken) {
    String free = name;
    for (int number = 2; taken.containsKey(free); number++) {
      free = name + number;
    }
    return free;
  }

  private static String literal(String text) {
    return text.replace(".", "\\.");
  }

  /** As a string of JSON: names, patterns and pURIs have no control characters. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
