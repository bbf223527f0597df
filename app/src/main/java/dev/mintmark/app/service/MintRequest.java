package dev.mintmark.app.service;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Form;
import dev.mintmark.Kind;
import dev.mintmark.Mint;
import dev.mintmark.NanoId;
import dev.mintmark.Order;
import dev.mintmark.Puri;
import dev.mintmark.Quoted;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.Transcoder;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

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
   * @param order of those that start with milliseconds: ulid, uuidv7 and typeid
   * @param node of a snowflake: the number of the process, which no other may have
   * @param prefix of a typeid
   */
  public record Settings(Optional<Order> order, Optional<Integer> node, Optional<String> prefix) {
    public static final Settings NONE =
        new Settings(Optional.empty(), Optional.empty(), Optional.empty());
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
                        "the catalog has no collection " + Quoted.of(collection)));
    return new MintRequest(spec.kind(), Settings.NONE, Optional.of(spec), catalog.namespace());
  }

  /**
   * Returns this with settings.
   *
   * @throws IllegalArgumentException if the kind has no such setting, or the collection has it
   */
  public MintRequest with(Settings settings) {
    if (settings.order().isPresent() && !isOrdered()) {
      throw new IllegalArgumentException(
          "kind %s has no order: that is of ulid, uuidv7 and typeid".formatted(kind.label()));
    }
    if (settings.node().isPresent() && kind != Kind.SNOWFLAKE) {
      throw new IllegalArgumentException(
          "kind %s has no node: that is of snowflake".formatted(kind.label()));
    }
    if (settings.prefix().isPresent() && kind != Kind.TYPEID) {
      throw new IllegalArgumentException(
          "kind %s is minted without a prefix: that is of typeid".formatted(kind.label()));
    }
    if (settings.prefix().isPresent() && collection.isPresent()) {
      throw new IllegalArgumentException(
          "the prefix is declared by collection " + Quoted.of(collection.get().name()));
    }
    return new MintRequest(kind, settings, collection, namespace);
  }

  /**
   * What makes the next id, and writes it, each time it is asked.
   *
   * @param form how ids are written; empty for the text of their kind
   * @throws IllegalArgumentException if the kind is not minted here, needs a setting that it was
   *     not given, or has no such form
   */
  public Supplier<String> source(MintCache mints, Optional<Form> form) {
    Order order = settings.order().orElse(Order.RANDOM);
    return switch (kind) {
      case ULID -> bits(mints.ulids(order)::mint, form);
      case UUIDV7 -> bits(ofUuids(mints.uuidsV7(order)), form);
      case TYPEID -> {
        TypeId.of(prefix(), Uuids.NIL); // Refuses the prefix now, not with the first id.
        yield bits(ofUuids(mints.uuidsV7(order)), form);
      }
      case UUIDV4 -> bits(() -> Ulid.of(Uuids.mintV4()), form);
      case NANOID -> texts(() -> NanoId.mint().toString(), form);
      case SNOWFLAKE -> {
        Mint<Snowflake> mint = mints.snowflakes(node());
        yield texts(() -> mint.mint().toString(), form);
      }
      case SEQUENCE ->
          throw new IllegalArgumentException(
              "kind sequence cannot be minted here: the database counts it, when a row is inserted");
      case TEXT ->
          throw new IllegalArgumentException("kind text cannot be minted: somebody else makes it");
    };
  }

  /**
   * Writes 128 bits in a form.
   *
   * @throws IllegalArgumentException if it is a pURI and no collection is named, or one of another
   *     kind
   */
  public String write(Ulid id, Form form) {
    return form == Form.PURI ? puri(text(id)) : form.write(id);
  }

  /**
   * What writes as {@link #write} does, where ids lie in bytes.
   *
   * @param from how they are read; empty for as each looks
   * @throws IllegalArgumentException as {@link #write} does, and if ids cannot be read so
   */
  public Transcoder transcoder(Optional<Form> from, Form to) {
    if (to != Form.PURI) {
      return transcoderTo(from, to);
    }
    return switch (kind) {
      case ULID, UUIDV7, UUIDV4 ->
          transcoderTo(from, kind.form().orElseThrow()).behind(puriBefore(""));
      case TYPEID ->
          transcoderTo(from, Form.LOWER)
              .behind(puriBefore(prefix().isEmpty() ? "" : prefix() + "_"));
      case SEQUENCE, NANOID, SNOWFLAKE, TEXT ->
          throw new IllegalArgumentException(
              "kind %s does not have 128 bits: only those become its pURIs"
                  .formatted(kind.label()));
    };
  }

  private static Transcoder transcoderTo(Optional<Form> from, Form to) {
    return from.map(form -> Transcoder.of(form, to)).orElseGet(() -> Transcoder.to(to));
  }

  /** What stands in a pURI before the rest of an id that begins so. */
  private String puriBefore(String begin) {
    String puri = puri(begin + "0");
    return puri.substring(0, puri.length() - 1);
  }

  private Supplier<String> bits(Supplier<Ulid> mint, Optional<Form> form) {
    return form.<Supplier<String>>map(writtenAs -> () -> write(mint.get(), writtenAs))
        .orElseGet(() -> () -> text(mint.get()));
  }

  private Supplier<String> texts(Supplier<String> mint, Optional<Form> form) {
    if (form.isEmpty()) {
      return mint;
    }
    if (form.get() != Form.PURI) {
      throw new IllegalArgumentException(
          "kind %s has no form %s: it does not have 128 bits"
              .formatted(kind.label(), Quoted.of(form.get().label())));
    }
    return () -> puri(mint.get());
  }

  /** The text that 128 bits have in this kind. */
  private String text(Ulid id) {
    return switch (kind) {
      case ULID, UUIDV7, UUIDV4 -> kind.form().orElseThrow().write(id);
      case TYPEID -> TypeId.of(prefix(), id.toUuid()).toString();
      case SEQUENCE, NANOID, SNOWFLAKE, TEXT ->
          throw new IllegalArgumentException(
              "kind %s does not have 128 bits: %s does".formatted(kind.label(), id));
    };
  }

  private String puri(String id) {
    CollectionSpec spec =
        collection.orElseThrow(
            () -> new IllegalArgumentException("a pURI needs a collection: name one"));
    return Puri.of(namespace, spec.name(), id).toString();
  }

  private String prefix() {
    return collection
        .map(spec -> spec.prefix().orElse(""))
        .or(settings::prefix)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind typeid needs a prefix: the name of its type, or an empty one"));
  }

  private int node() {
    return settings
        .node()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "kind snowflake needs a node: 0 to %d, a number that no other process has"
                        .formatted(SnowflakeLayout.TWITTER.nodeMax())));
  }

  private boolean isOrdered() {
    return kind == Kind.ULID || kind == Kind.UUIDV7 || kind == Kind.TYPEID;
  }

  private static Supplier<Ulid> ofUuids(Mint<UUID> mint) {
    return () -> Ulid.of(mint.mint());
  }
}
