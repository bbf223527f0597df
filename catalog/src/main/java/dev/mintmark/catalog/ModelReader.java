package dev.mintmark.catalog;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.CidrBlock;
import dev.mintmark.DurationText;
import dev.mintmark.Ipv6Embedding;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.NumberRange;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.nodes.Node;

/** Makes the model of a catalog from its nodes. */
final class ModelReader {
  private final String file;
  private final TakenNames namespaceNames = new TakenNames("name");
  private final TakenNames namespaceCodes = new TakenNames("code");
  private final FaceReader faces = new FaceReader();

  ModelReader(String file) {
    this.file = file;
  }

  Catalog catalog(Node root) {
    Location start = new Location(file, 1);
    YamlMapping catalog =
        new YamlValue(start, "the catalog", root)
            .mapping()
            .allowing("namespace", "code", "collections", "namespaces", "pools");
    YamlValue name = catalog.required("namespace");
    NamespaceSpec own = namespace(name.text(), name.location(), catalog, true);
    List<NamespaceSpec> others =
        catalog.value("namespaces").stream()
            .flatMap(value -> value.mapping().named("namespace"))
            .map(this::other)
            .toList();
    List<PoolSpec> pools =
        catalog.value("pools").stream()
            .flatMap(value -> value.mapping().named("pool"))
            .map(ModelReader::pool)
            .toList();
    return start.modelled(() -> new Catalog(own, others, pools));
  }

  private NamespaceSpec other(YamlMapping.Named named) {
    YamlMapping keys = named.value().mapping().allowing("code", "collections");
    return namespace(named.name(), named.value().location(), keys, false);
  }

  private NamespaceSpec namespace(String name, Location location, YamlMapping keys, boolean ours) {
    NamespaceSpec namespace = new NamespaceReader(ours, faces).read(name, location, keys);
    String owner = "namespace " + Quoted.of(name);
    namespaceNames.take(name, owner, location);
    keys.value("code").ifPresent(code -> namespaceCodes.take(code.text(), owner, code.location()));
    return namespace;
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
                PoolSpec.of(named.name(), blocks(keys))
                    .withExclude(
                        keys.value("exclude").map(ModelReader::blockList).orElse(List.of()))
                    .withLease(
                        keys.value("lease").flatMap(value -> value.parsed(ModelReader::lease)))
                    .withQuarantine(
                        keys.value("quarantine")
                            .map(value -> value.parsed(DurationText::parse))
                            .orElse(Duration.ZERO))
                    .withIpv6(keys.value("ipv6").map(ModelReader::ipv6)));
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
