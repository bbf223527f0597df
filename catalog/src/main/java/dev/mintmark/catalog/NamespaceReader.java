package dev.mintmark.catalog;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.MintDeclaration;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Quoted;
import java.util.List;
import java.util.Optional;

/** Builds the model of one namespace from its YAML mapping. */
final class NamespaceReader {
  /** Keys of a namespace that is not ours. */
  static final List<String> KEYS = List.of("code", "collections");

  /** Keys of a collection. */
  static final List<String> COLLECTION_KEYS =
      List.of(
          "kind",
          "prefix",
          "width",
          "case",
          "code",
          "table",
          "column",
          "created",
          "referenced-by",
          "storage",
          "mint",
          "order",
          "old-rows",
          "aliases",
          "face",
          "faces",
          "find");

  /** Keys of a collection that require {@code table}. */
  private static final List<String> OF_A_TABLE =
      List.of("column", "created", "referenced-by", "old-rows", "find");

  /** Keys of {@code find}. */
  private static final List<String> FIND_KEYS = List.of("columns");

  private final boolean ours;
  private final FaceReader faces;
  private final TakenNames collectionNames = new TakenNames("name");
  private final TakenNames collectionCodes = new TakenNames("code");

  /**
   * @param ours whether names must have the form of our own names
   * @param faces the reader of the faces of all namespaces
   */
  NamespaceReader(boolean ours, FaceReader faces) {
    this.ours = ours;
    this.faces = faces;
  }

  /** Reads the namespace {@code name} from its keys {@code code} and {@code collections}. */
  NamespaceSpec read(String name, Location location, YamlMapping keys) {
    Optional<String> code = keys.value("code").map(YamlValue::text);
    List<CollectionSpec> collections =
        keys.value("collections").stream()
            .flatMap(value -> value.mapping().named("collection"))
            .map(this::collection)
            .toList();
    NamespaceSpec namespace = location.modelled(() -> new NamespaceSpec(name, code, collections));
    return ours ? location.modelled(namespace::asOurs) : namespace;
  }

  private CollectionSpec collection(YamlMapping.Named named) {
    Location location = named.value().location();
    YamlMapping keys = named.value().mapping().allowing(COLLECTION_KEYS);
    checkTable(keys);
    Kind kind = keys.required("kind").parsed(Kind::parse);
    CollectionSpec.Builder builder = CollectionSpec.builder(named.name(), kind);
    keys.value("prefix").ifPresent(value -> builder.prefix(value.text()));
    keys.value("width").ifPresent(value -> builder.width(value.wholeNumber()));
    keys.value("case")
        .ifPresent(value -> builder.caseSensitive(value.parsed(NamespaceReader::isSensitive)));
    keys.value("code").ifPresent(value -> builder.code(value.text()));
    keys.value("table").ifPresent(value -> builder.table(value.text()));
    keys.value("column").ifPresent(value -> builder.column(value.text()));
    keys.value("created").ifPresent(value -> builder.created(value.text()));
    keys.value("referenced-by")
        .ifPresent(value -> builder.referencedBy(NamespaceReader.references(value)));
    keys.value("storage").ifPresent(value -> value.parsed(builder::storageLabel));
    builder.mint(mint(keys));
    List<YamlValue> aliases = keys.value("aliases").map(YamlValue::items).orElse(List.of());
    builder.aliases(aliases.stream().map(YamlValue::text).toList());
    keys.value("find").ifPresent(value -> builder.findColumns(findColumns(value)));
    String owner = "collection " + Quoted.of(named.name());
    faces.read(owner, keys, builder);
    CollectionSpec collection = location.modelled(builder::build);
    if (ours) {
      collection = location.modelled(collection::asOurs);
    }

    collectionNames.take(named.name(), owner, location);
    aliases.forEach(alias -> collectionNames.take(alias.text(), owner, alias.location()));
    keys.value("code").ifPresent(code -> collectionCodes.take(code.text(), owner, code.location()));
    return collection;
  }

  /** Checks that a key that requires {@code table} comes with it. */
  private static void checkTable(YamlMapping keys) {
    if (keys.value("table").isPresent()) {
      return;
    }
    for (String key : OF_A_TABLE) {
      keys.value(key)
          .ifPresent(
              value -> {
                throw value.wrong("it requires \"table\", which is missing: add \"table\"");
              });
    }
  }

  private static List<CollectionSpec.Reference> references(YamlValue value) {
    return value.items().stream()
        .map(item -> item.parsedText(CollectionSpec.Reference::parse))
        .toList();
  }

  /** Reads {@code find: { columns: [id, name] }}. */
  private static List<String> findColumns(YamlValue value) {
    YamlValue columns = value.mapping().allowing(FIND_KEYS).required("columns");
    List<String> names = columns.items().stream().map(YamlValue::text).toList();
    if (names.isEmpty()) {
      throw columns.wrong("expected at least one column: leave out \"find\" if none may be shown");
    }
    return names;
  }

  /** Reads the keys {@code mint}, {@code order} and {@code old-rows}. */
  private static MintDeclaration mint(YamlMapping keys) {
    return new MintDeclaration(
        keys.value("mint").map(value -> value.parsed(MintDeclaration.Place::parse)),
        keys.value("order").map(value -> value.parsed(MintDeclaration::parseOrder)),
        keys.value("old-rows").map(value -> value.parsed(MintDeclaration.OldRows::parse)));
  }

  private static boolean isSensitive(String label) {
    return switch (label) {
      case "sensitive" -> true;
      case "insensitive" -> false;
      default ->
          throw new IllegalArgumentException(
              "expected sensitive or insensitive, found " + Quoted.of(label));
    };
  }
}
