package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.FormatSpec;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.PoolSpec;
import dev.mintmark.Quoted;
import dev.mintmark.ReferenceSpec;
import java.nio.file.Path;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;

/** Builds the model of a catalog from its YAML nodes. */
final class ModelReader {
  /** Keys of a catalog. */
  static final List<String> KEYS =
      List.of(
          "namespace",
          "code",
          "collections",
          "namespaces",
          "databases",
          "pools",
          "references",
          "formats");

  private final String file;
  private final Path directory;
  private final TakenNames namespaceNames = new TakenNames("name");
  private final TakenNames namespaceCodes = new TakenNames("code");
  private final FaceReader faces = new FaceReader();

  /**
   * @param file the name of the catalog in messages
   * @param directory the directory of the files that the catalog names
   */
  ModelReader(String file, Path directory) {
    this.file = file;
    this.directory = directory;
  }

  LocatedCatalog catalog(Node node) {
    Location start = new Location(file, 1);
    YamlValue root = new YamlValue(start, "the catalog", node);
    YamlMapping catalog = root.mapping().allowing(KEYS);
    YamlValue name = catalog.required("namespace");
    NamespaceSpec own = namespace(name.text(), name.location(), catalog, true);
    List<NamespaceSpec> others =
        catalog.value("namespaces").stream()
            .flatMap(value -> value.mapping().named("namespace"))
            .map(this::other)
            .toList();
    List<String> databases =
        catalog.value("databases").stream()
            .flatMap(value -> value.mapping().named("database"))
            .map(DatabaseReader::read)
            .toList();
    PoolReader pools = new PoolReader(directory, databases);
    List<PoolSpec> specs =
        catalog.value("pools").stream()
            .flatMap(value -> pools.read(value.mapping()).stream())
            .toList();
    Catalog declared =
        start.modelled(() -> new Catalog(own, others, specs, List.of(), List.of(), databases));
    List<ReferenceSpec> references =
        catalog.value("references").stream()
            .flatMap(value -> value.mapping().named("reference"))
            .map(named -> reference(named, declared))
            .toList();
    List<FormatSpec> formats =
        catalog.value("formats").stream()
            .flatMap(value -> value.mapping().named("format"))
            .map(FormatReader::read)
            .toList();
    return new LocatedCatalog(
        start.modelled(() -> new Catalog(own, others, specs, references, formats, databases)),
        root);
  }

  /** Reads {@code comments.subject: any} or {@code likes.target: [meats, soundcloud:tracks]}. */
  private static ReferenceSpec reference(YamlMapping.Named named, Catalog declared) {
    YamlValue value = named.value();
    List<String> types =
        value.isText("any") ? List.of() : value.items().stream().map(YamlValue::text).toList();
    if (types.isEmpty() && !value.isText("any")) {
      throw value.wrong("expected any or at least one collection");
    }
    return value
        .location()
        .modelled(
            () -> {
              ReferenceSpec spec = new ReferenceSpec(Reference.parse(named.name()), types);
              spec.codes(declared.namespaces());
              return spec;
            });
  }

  private NamespaceSpec other(YamlMapping.Named named) {
    YamlMapping keys = named.value().mapping().allowing(NamespaceReader.KEYS);
    return namespace(named.name(), named.value().location(), keys, false);
  }

  private NamespaceSpec namespace(String name, Location location, YamlMapping keys, boolean ours) {
    NamespaceSpec namespace = new NamespaceReader(ours, faces).read(name, location, keys);
    String owner = "namespace " + Quoted.of(name);
    namespaceNames.take(name, owner, location);
    keys.value("code").ifPresent(code -> namespaceCodes.take(code.text(), owner, code.location()));
    return namespace;
  }
}
