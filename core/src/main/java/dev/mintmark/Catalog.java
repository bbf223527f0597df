package dev.mintmark;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The declared identifiers of an organisation: its namespace, the namespaces of others that it
 * uses, and its pools. Immutable.
 *
 * <p>Names of namespaces, their codes, names of pools and of formats, masks and key labels are
 * unique in a catalog.
 *
 * @param own our namespace
 * @param others the namespaces of others, in the order they were declared
 * @param pools in the order they were declared; a pool that others get their blocks from is among
 *     them, before or after them
 * @param references columns that refer to rows of several collections, in the order they were
 *     declared
 * @param formats formats of identifiers that are none of Mintmark's, in the order they were
 *     declared
 * @param databases the names of the databases that have pools, if a program uses several; a pool
 *     that names none is in the first
 */
public record Catalog(
    NamespaceSpec own,
    List<NamespaceSpec> others,
    List<PoolSpec> pools,
    List<ReferenceSpec> references,
    List<FormatSpec> formats,
    List<String> databases) {
  /** The most databases. */
  public static final int DATABASES_MAX = 64;

  public Catalog {
    own.asOurs();
    others = List.copyOf(others);
    pools = List.copyOf(pools);
    references = List.copyOf(references);
    formats = List.copyOf(formats);
    databases = List.copyOf(databases);
    Set<String> namespaceNames = new HashSet<>();
    Set<String> namespaceCodes = new HashSet<>();
    List<NamespaceSpec> namespaces = Stream.concat(Stream.of(own), others.stream()).toList();
    for (NamespaceSpec namespace : namespaces) {
      String name = namespace.name();
      takeOnce("namespace", name, "name", name, namespaceNames);
      namespace.code().ifPresent(c -> takeOnce("namespace", name, "code", c, namespaceCodes));
    }
    Set<String> poolNames = new HashSet<>();
    pools.forEach(pool -> takeOnce("pool", pool.name(), "name", pool.name(), poolNames));
    checkDatabases(databases);
    for (PoolSpec pool : pools) {
      var unused = pool.requireIn(databases).requireSourceIn(pools);
    }
    Set<String> formatNames = new HashSet<>();
    formats.forEach(
        format -> takeOnce("format", format.name(), "name", format.name(), formatNames));
    DeclaredFormats.of(formats);
    checkFaces(namespaces);
    Set<CollectionSpec.Reference> columns = new HashSet<>();
    for (ReferenceSpec reference : references) {
      reference.codes(namespaces);
      if (!columns.add(reference.column())) {
        throw new IllegalArgumentException(
            "reference " + Quoted.of(reference.column().toString()) + " is declared twice");
      }
    }
  }

  /** A catalog of one database. */
  public Catalog(
      NamespaceSpec own,
      List<NamespaceSpec> others,
      List<PoolSpec> pools,
      List<ReferenceSpec> references,
      List<FormatSpec> formats) {
    this(own, others, pools, references, formats, List.of());
  }

  /** A catalog without formats of its own. */
  public Catalog(
      NamespaceSpec own,
      List<NamespaceSpec> others,
      List<PoolSpec> pools,
      List<ReferenceSpec> references) {
    this(own, others, pools, references, List.of());
  }

  /** A catalog without columns that refer to rows of several collections. */
  public Catalog(NamespaceSpec own, List<NamespaceSpec> others, List<PoolSpec> pools) {
    this(own, others, pools, List.of());
  }

  /** A catalog of one namespace, which has no code. */
  public Catalog(String namespace, List<CollectionSpec> collections, List<PoolSpec> pools) {
    this(new NamespaceSpec(namespace, Optional.empty(), collections), List.of(), pools);
  }

  /** The name of our namespace, the first segment of our pURIs. */
  public String namespace() {
    return own.name();
  }

  /** All namespaces, ours first. */
  public List<NamespaceSpec> namespaces() {
    return Stream.concat(Stream.of(own), others.stream()).toList();
  }

  /** The collections of our namespace, in the order they were declared. */
  public List<CollectionSpec> collections() {
    return own.collections();
  }

  /** Returns our collection of that name or alias, in either letter case. */
  public Optional<CollectionSpec> collection(String name) {
    return own.collection(name);
  }

  /**
   * Returns the type of a class that is annotated with {@link InCollection}, as {@link
   * IdType#wrapping} returns it.
   *
   * @throws IllegalArgumentException if the class is not annotated, if the catalog does not have
   *     the collection, or if the class cannot hold its identifiers
   */
  public <W> IdType<W> idType(Class<W> javaType) {
    InCollection annotation = javaType.getAnnotation(InCollection.class);
    if (annotation == null) {
      throw new IllegalArgumentException(
          javaType.getName() + " has no annotation @InCollection: expected one with a collection");
    }
    return IdType.wrapping(javaType, declared(annotation.value()));
  }

  /**
   * Returns our collection of that name or alias, in either letter case.
   *
   * @throws IllegalArgumentException if there is none
   */
  CollectionSpec declared(String collection) {
    return collection(collection)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the catalog has no collection "
                        + Quoted.of(collection)
                        + " in the namespace "
                        + Quoted.of(namespace())));
  }

  /** Returns the pool of that name. */
  public Optional<PoolSpec> pool(String name) {
    return pools.stream().filter(spec -> spec.name().equals(name)).findFirst();
  }

  /**
   * Returns the name of the database that a pool of this catalog is in: the one that it names, or
   * the first. Empty if the catalog declares no databases.
   */
  public Optional<String> databaseOf(PoolSpec pool) {
    return pool.database().or(() -> databases.stream().findFirst());
  }

  /**
   * Returns warnings about names that are hard to keep: our namespace and collections that are
   * named after a system, a product or a stage. They are never errors.
   */
  public List<CatalogFinding> lint() {
    return NameLint.of(own);
  }

  /**
   * Checks that no two collections share a key label or a mask. All collections use one keyring:
   * with a shared label, a face of one collection with the prefix of another would open in the
   * other.
   */
  private static void checkFaces(List<NamespaceSpec> namespaces) {
    Set<String> masks = new HashSet<>();
    Set<String> keyLabels = new HashSet<>();
    for (NamespaceSpec namespace : namespaces) {
      for (CollectionSpec collection : namespace.collections()) {
        String name = collection.name();
        // The old and the new face of one collection may share a label, as after a new prefix.
        Set<String> ownLabels = new LinkedHashSet<>();
        Stream.concat(
                collection.face().stream(),
                collection.faceChange().flatMap(FaceChange::mask).stream())
            .forEach(
                face -> {
                  if (!face.mask().isEmpty()) {
                    takeOnce("collection", name, "mask", face.mask(), masks);
                  }
                  ownLabels.add(face.keyLabel());
                });
        ownLabels.forEach(label -> takeOnce("collection", name, "key label", label, keyLabels));
      }
    }
  }

  private static void checkDatabases(List<String> databases) {
    if (databases.size() > DATABASES_MAX) {
      throw new IllegalArgumentException(
          "%s databases: expected at most %s".formatted(databases.size(), DATABASES_MAX));
    }
    Set<String> names = new HashSet<>();
    for (String database : databases) {
      CatalogName.check("database", database);
      takeOnce("database", database, "name", database, names);
    }
  }

  private static void takeOnce(
      String owner, String ownerName, String what, String name, Set<String> taken) {
    if (!taken.add(AsciiCase.lower(name))) {
      throw new IllegalArgumentException(
          "%s %s: the %s %s is taken by another %s"
              .formatted(owner, Quoted.of(ownerName), what, Quoted.of(name), owner));
    }
  }
}
