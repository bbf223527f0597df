package dev.mintmark.app.service;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.ColumnValue;
import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Mint;
import dev.mintmark.MintCache;
import dev.mintmark.MintSettings;
import dev.mintmark.Order;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.Spelling;
import dev.mintmark.Transcoder;
import dev.mintmark.Ulid;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What is to be minted, as a command or a request says it: a kind, or a collection of the catalog.
 *
 * @param kind how the ids are made
 * @param settings what only some kinds have
 * @param collection the collection they are for, if one is named
 * @param namespace the catalog's, for a pURI
 */
public record MintRequest(
    Kind kind, Settings settings, Optional<CollectionSpec> collection, String namespace) {
  /**
   * What only some kinds have.
   *
   * @param order of those that start with milliseconds: ulid, uuidv7 and typeid; that of the
   *     collection, or else ascending, if it is empty
   * @param node of a snowflake: the number of the process, which no other may have
   * @param prefix of a typeid
   * @param namespace of the name of a uuidv3 or uuidv5: {@code dns}, {@code url}, {@code oid},
   *     {@code x500} or a UUID
   * @param name of which a uuidv3 or uuidv5 is made
   */
  public record Settings(
      Optional<Order> order,
      Optional<Integer> node,
      Optional<String> prefix,
      Optional<String> namespace,
      Optional<String> name) {
    public static final Settings NONE =
        new Settings(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Settings without a name. */
    public Settings(Optional<Order> order, Optional<Integer> node, Optional<String> prefix) {
      this(order, node, prefix, Optional.empty(), Optional.empty());
    }

    /** Checks that a kind that is not made of a name is given none. */
    void checkNoName(String kind) {
      if (name.isPresent() || namespace.isPresent()) {
        throw new IllegalArgumentException(
            "kind %s is not made of a %s: uuidv3 and uuidv5 are"
                .formatted(kind, name.isPresent() ? "name" : "namespace"));
      }
    }
  }

  public static MintRequest of(Kind kind) {
    return new MintRequest(kind, Settings.NONE, Optional.empty(), "");
  }

  /**
   * What a collection declares.
   *
   * @throws IllegalArgumentException if the catalog has none of that name
   */
  public static MintRequest of(Catalog catalog, String collection) {
    CollectionSpec spec =
        catalog
            .collection(collection)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "the catalog has no collection "
                            + Quoted.of(collection)
                            + Spelling.nearest(collection, names(catalog))
                                .map(near -> ": did you mean " + Quoted.of(near) + "?")
                                .orElse("")));
    return new MintRequest(spec.kind(), Settings.NONE, Optional.of(spec), catalog.namespace());
  }

  private static List<String> names(Catalog catalog) {
    return catalog.collections().stream().map(CollectionSpec::name).toList();
  }

  /**
   * Returns this with settings.
   *
   * @throws IllegalArgumentException if the kind has no such setting, or the collection has it
   */
  public MintRequest with(Settings settings) {
    new MintSettings(settings.order(), settings.node()).check(kind);
    settings.checkNoName(kind.label());
    collection.ifPresent(declared -> checkOrder(declared, settings));
    if (settings.prefix().isPresent() && !hasPrefix(kind)) {
      throw new IllegalArgumentException(
          "kind %s is minted without a prefix: that is of %s"
              .formatted(kind.label(), kindsWithPrefix()));
    }
    if (settings.prefix().isPresent() && collection.isPresent()) {
      throw new IllegalArgumentException(
          "the prefix is declared by collection " + Quoted.of(collection.get().name()));
    }
    return new MintRequest(kind, settings, collection, namespace);
  }

  private static void checkOrder(CollectionSpec declared, Settings settings) {
    Optional<Order> order = declared.mint().order();
    if (settings.order().isPresent() && order.isPresent() && !settings.order().equals(order)) {
      throw new IllegalArgumentException(
          "collection %s declares the order %s: found %s"
              .formatted(
                  Quoted.of(declared.name()), order.get().label(), settings.order().get().label()));
    }
  }

  /**
   * What makes the next id, and writes it, each time it is asked. The order is the one of the
   * settings, or else of the collection; ids ascend if neither has one.
   *
   * @param form how ids are written; empty for the text of their kind
   * @throws IllegalArgumentException if the kind is not minted here, needs a setting that it was
   *     not given, or has no such form, or if the collection declares that the server mints
   */
  public Supplier<String> source(MintCache mints, Optional<Form> form) {
    return source(type(), mints, form);
  }

  private <T> Supplier<String> source(IdType<T> type, MintCache mints, Optional<Form> form) {
    collection.ifPresent(CollectionSpec::checkMintedHere);
    Mint<T> mint = mints.mint(type, mintSettings());
    if (form.isEmpty()) {
      return () -> type.format(mint.mint());
    }
    if (form.get() == Form.PURI) {
      return () -> puri(type.format(mint.mint()));
    }
    if (form.get().isOfCollection()) {
      throw new IllegalArgumentException(
          "form %s is not minted: convert writes it".formatted(Quoted.of(form.get().label())));
    }
    if (type.storage() != Kind.Storage.UUID) {
      throw new IllegalArgumentException(
          "kind %s has no form %s: it does not have 128 bits"
              .formatted(kind.label(), Quoted.of(form.get().label())));
    }
    IdReader reader = IdReader.of(type);
    return () -> reader.write(type.format(mint.mint()), form.get());
  }

  /**
   * What reads ids of the collection, or of any kind if none is named.
   *
   * @throws IllegalArgumentException if its ids are opaque texts
   */
  public IdReader reader() {
    return collection.isPresent() ? IdReader.of(type()) : IdReader.ranked();
  }

  /**
   * Writes an id in a form.
   *
   * @throws dev.mintmark.MalformedIdException if the text is malformed, or the id has no such form
   * @throws IllegalArgumentException if it is a pURI and no collection is named, or one of another
   *     kind
   */
  public String write(IdReader reader, String text, Form form) {
    return form == Form.PURI ? puri(text(type(), reader.bits(text))) : reader.write(text, form);
  }

  /**
   * What writes as {@link #write} does, where ids lie in bytes.
   *
   * @throws IllegalArgumentException as {@link #write} does
   */
  public Transcoder transcoder(IdReader reader, Form to) {
    if (to != Form.PURI) {
      return Transcoder.of(reader, to);
    }
    return type()
        .transcoder(Optional.empty())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind %s does not have 128 bits: only those become its pURIs"
                        .formatted(kind.label())))
        .reading(reader)
        .withPrefix(puriBefore());
  }

  /** The text of a pURI before the id. */
  private String puriBefore() {
    String puri = puri("0");
    return puri.substring(0, puri.length() - 1);
  }

  /** The text that 128 bits have in this kind. */
  private <T> String text(IdType<T> type, Ulid id) {
    if (type.storage() != Kind.Storage.UUID) {
      throw new IllegalArgumentException(
          "kind %s does not have 128 bits: %s does".formatted(kind.label(), id));
    }
    return type.format(type.fromStored(new ColumnValue.Uuid(id.toUuid())));
  }

  private String puri(String id) {
    CollectionSpec spec =
        collection.orElseThrow(
            () -> new IllegalArgumentException("a pURI needs a collection: name one"));
    return Puri.of(namespace, spec.name(), id).toString();
  }

  /**
   * The type of the ids, in the storage of their kind.
   *
   * @throws IllegalArgumentException if the kind needs a prefix and has none, or a malformed one
   */
  private IdType<?> type() {
    if (collection.isPresent()) {
      return IdType.of(kind, collection.get().prefix().orElse(""));
    }
    if (hasPrefix(kind) && settings.prefix().isEmpty()) {
      throw new IllegalArgumentException(
          "kind %s needs a prefix: the name of its type, or an empty one".formatted(kind.label()));
    }
    return IdType.of(kind, settings.prefix().orElse(""));
  }

  /** Whether a mint gives the ids a prefix. */
  private static boolean hasPrefix(Kind kind) {
    return kind.has(Kind.Option.PREFIX) && kind.isMinted();
  }

  private static String kindsWithPrefix() {
    return Arrays.stream(Kind.values())
        .filter(MintRequest::hasPrefix)
        .map(Kind::label)
        .collect(Collectors.joining(", "));
  }

  private MintSettings mintSettings() {
    Optional<Order> declared = collection.flatMap(spec -> spec.mint().order());
    Optional<Order> ascending =
        Optional.of(Order.ASCENDING).filter(order -> kind.has(Kind.Option.ORDER));
    return new MintSettings(
        settings.order().or(() -> declared).or(() -> ascending), settings.node());
  }
}
