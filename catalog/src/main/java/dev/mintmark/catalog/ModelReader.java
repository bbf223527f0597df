package dev.mintmark.catalog;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CidrBlock;
import dev.mintmark.CollectionSpec;
import dev.mintmark.DurationText;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.Kind;
import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.snakeyaml.engine.v2.nodes.Node;

/** Makes the model of a catalog from its nodes. */
final class ModelReader {
  private static final Pattern TABLE = Pattern.compile("[^.]+(\\.[^.]+)?");

  private final String file;

  /** Where each name and alias of a collection was given. */
  private final Map<String, Location> collectionNames = new HashMap<>();

  ModelReader(String file) {
    this.file = file;
  }

  Catalog catalog(Node root) {
    YamlMapping catalog = new YamlValue(new Location(file, 1), "the catalog", root).mapping();
    catalog
        .value("namespaces")
        .ifPresent(
            namespaces -> {
              throw namespaces.wrong("not supported yet: declare ours under \"namespace\"");
            });
    catalog.allowing("namespace", "collections", "pools");
    YamlValue namespace = catalog.required("namespace");
    String name = namespace.text();
    List<CollectionSpec> collections =
        catalog.value("collections").stream()
            .flatMap(value -> value.mapping().named("collection"))
            .map(this::collection)
            .toList();
    List<PoolSpec> pools =
        catalog.value("pools").stream()
            .flatMap(value -> value.mapping().named("pool"))
            .map(ModelReader::pool)
            .toList();
    return namespace.location().modelled(() -> new Catalog(name, collections, pools));
  }

  private CollectionSpec collection(YamlMapping.Named named) {
    YamlMapping keys =
        named
            .value()
            .mapping()
            .allowing("kind", "prefix", "width", "table", "column", "storage", "aliases", "face");
    Kind kind = keys.required("kind").parsed(Kind::parse);
    List<YamlValue> aliases = keys.value("aliases").map(YamlValue::items).orElse(List.of());
    CollectionSpec collection =
        named
            .value()
            .location()
            .modelled(
                () ->
                    new CollectionSpec(
                        named.name(),
                        kind,
                        keys.value("storage")
                            .map(value -> value.parsed(ModelReader::storage))
                            .orElse(kind.storage()),
                        keys.value("prefix").map(YamlValue::text),
                        keys.value("width").map(YamlValue::wholeNumber).orElse(0),
                        keys.value("table").map(ModelReader::table),
                        keys.value("column").map(YamlValue::text).orElse("id"),
                        aliases.stream().map(YamlValue::text).toList(),
                        keys.value("face").map(ModelReader::face)));
    takeName(collection.name(), named.value().location(), collection.name());
    aliases.forEach(alias -> takeName(alias.text(), alias.location(), collection.name()));
    return collection;
  }

  private void takeName(String name, Location location, String collection) {
    Location taken = collectionNames.putIfAbsent(name, location);
    if (taken != null) {
      throw location.wrong(
          "collection %s: the name %s is taken, see line %d"
              .formatted(Quoted.of(collection), Quoted.of(name), taken.line()));
    }
  }

  private static Kind.Storage storage(String label) {
    return Arrays.stream(Kind.Storage.values())
        .filter(storage -> label(storage).equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown storage "
                        + Quoted.of(label)
                        + ": expected one of "
                        + Arrays.stream(Kind.Storage.values())
                            .map(ModelReader::label)
                            .collect(Collectors.joining(", "))));
  }

  private static String label(Kind.Storage storage) {
    return storage.name().toLowerCase(Locale.ROOT);
  }

  private static String table(YamlValue value) {
    String table = value.text();
    if (!TABLE.matcher(table).matches()) {
      throw value.wrong("expected TABLE or SCHEMA.TABLE, found " + Quoted.of(table));
    }
    return table;
  }

  private static CollectionSpec.Face face(YamlValue value) {
    YamlMapping keys = value.mapping().allowing("mask", "key-label");
    return new CollectionSpec.Face(keys.required("mask").text(), keys.required("key-label").text());
  }

  private static PoolSpec pool(YamlMapping.Named named) {
    YamlMapping keys =
        named
            .value()
            .mapping()
            .allowing("blocks", "range", "exclude", "per-client", "lease", "quarantine", "ipv6");
    keys.value("per-client").ifPresent(ModelReader::checkPerClient);
    return named
        .value()
        .location()
        .modelled(
            () ->
                new PoolSpec(
                    named.name(),
                    blocks(keys),
                    keys.value("exclude").map(ModelReader::blockList).orElse(List.of()),
                    keys.value("lease").flatMap(value -> value.parsed(ModelReader::lease)),
                    keys.value("quarantine")
                        .map(value -> value.parsed(DurationText::parse))
                        .orElse(Duration.ZERO),
                    keys.value("ipv6").map(ModelReader::ipv6)));
  }

  private static void checkPerClient(YamlValue value) {
    int count = value.wholeNumber();
    if (count != 1) {
      throw value.wrong("it is " + count + ": only 1 is supported so far");
    }
  }

  private static List<Block> blocks(YamlMapping keys) {
    Optional<YamlValue> range = keys.value("range");
    if (range.isPresent() == keys.value("blocks").isPresent()) {
      throw keys.wrong("expected one of \"blocks\" and \"range\"");
    }
    return range
        .map(value -> List.<Block>of(value.parsed(NumberRange::parse)))
        .orElseGet(() -> blockList(keys.required("blocks")));
  }

  private static List<Block> blockList(YamlValue value) {
    return value.items().stream().map(item -> item.parsed(Block::parse)).toList();
  }

  private static Optional<Duration> lease(String text) {
    return text.equals("none") ? Optional.empty() : Optional.of(DurationText.parse(text));
  }

  private static Ipv6Embedding ipv6(YamlValue value) {
    YamlMapping keys = value.mapping().allowing("prefix", "embed");
    CidrBlock prefix = keys.required("prefix").parsed(CidrBlock::parse);
    Ipv6Embedding.Source source = keys.required("embed").parsed(ModelReader::source);
    return value.location().modelled(() -> new Ipv6Embedding(prefix, source));
  }

  private static Ipv6Embedding.Source source(String label) {
    return switch (label) {
      case "ipv4" -> Ipv6Embedding.Source.IPV4;
      case "client" -> Ipv6Embedding.Source.CLIENT;
      default ->
          throw new IllegalArgumentException("expected ipv4 or client, found " + Quoted.of(label));
    };
  }
}
