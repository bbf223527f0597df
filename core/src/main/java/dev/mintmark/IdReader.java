package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a text is taken for: the identifier of a kind that is known, or the one that {@link
 * Inspector} finds most likely. It decides the {@link Form#TIME} of 128 bits, which do not say
 * themselves what they are: a ULID in a {@code uuid} column has a random version digit.
 *
 * <pre>
 *   ranked()              as the reading that Inspector ranks first
 *   parse("ulid")         any form of 128 bits; the time is in the first 48
 *   parse("uuid")         36 characters; the time is that of the version
 *   parse("uuidv7"), ...  identifiers of this kind alone
 *   parse("hex"), ...     one form; otherwise as ranked()
 *   of(IdType)            identifiers of this type
 * </pre>
 *
 * <p>Readers of more than one form also read pURIs, by their last segment, and ignore white space
 * around the text.
 *
 * <p>Immutable and thread-safe.
 *
 * <pre>{@code
 * String draft = "061ff8d8-e24b-7000-8092-ca1e5440d491";
 * IdReader.ranked().write(draft, Form.TIME);        // 2022-02-06T08:57:50.587Z: a draft of UUIDv7
 * IdReader.parse("ulid").write(draft, Form.TIME);   // 2183-05-28T07:31:56.107Z
 * }</pre>
 */
public final class IdReader {
  private static final IdReader RANKED =
      new IdReader(
          Optional.of(BitsRule.RANKED),
          Optional.empty(),
          IdReader::ranked,
          Optional.empty(),
          Optional.empty());

  private static final List<Layout> LAYOUTS = Layouts.ALL;

  /** What 128 bits are taken for, if they may be of several layouts. */
  private final Optional<BitsRule> rule;

  /** The only form that is read; empty for every form. */
  private final Optional<Form> form;

  private final Source source;

  /** The collections of pURIs, if they are known. */
  private final Optional<Supplier<Puris>> puris;

  /** The only collection of which pURIs are read; empty for every collection. */
  private final Optional<CollectionSpec> named;

  /** Reads a text that is no pURI. */
  @FunctionalInterface
  private interface Source {
    Decoded read(String text, Instant now, boolean isTimed);
  }

  private IdReader(
      Optional<BitsRule> rule,
      Optional<Form> form,
      Source source,
      Optional<Supplier<Puris>> puris,
      Optional<CollectionSpec> named) {
    this.rule = rule;
    this.form = form;
    this.source = source;
    this.puris = puris;
    this.named = named;
  }

  /** Returns the reader of any identifier, as the reading that {@link Inspector} ranks first. */
  public static IdReader ranked() {
    return RANKED;
  }

  /**
   * Returns the reader of one form. 26 characters of Crockford's base 32 are a ULID, 36 characters
   * are a UUID with the time of its version, all others are read as {@link #ranked} does.
   *
   * @throws IllegalArgumentException if the form is not {@linkplain Form#isReadable() readable}
   */
  public static IdReader of(Form form) {
    if (!form.isReadable()) {
      throw form.unreadable();
    }
    BitsRule rule = form.bitsRule();
    return new IdReader(
        Optional.of(rule),
        Optional.of(form),
        (text, now, isTimed) -> ruled(rule, form.read(text), now),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Returns the reader of identifiers of a type. 128 bits are read in any form, and the numbers of
   * a column of bigint.
   *
   * @throws IllegalArgumentException if identifiers of the type are opaque texts
   */
  public static IdReader of(IdType<?> type) {
    KindType<?> kind = type.kindType();
    if (kind.isOpaque()) {
      throw new IllegalArgumentException(
          "kind %s cannot be converted: its identifiers are opaque texts"
              .formatted(kind.kind().label()));
    }
    return new IdReader(
        kind.bitsRule(),
        Optional.empty(),
        (text, now, isTimed) -> decodedOrNumber(kind, text),
        Optional.empty(),
        Optional.empty());
  }

  /**
   * Returns the reader of what a label names: {@code ulid}, {@code uuid}, a readable {@link Form},
   * or a {@link Reading#kind}.
   *
   * @throws IllegalArgumentException if there is none; the message lists all labels
   */
  public static IdReader parse(String label) {
    Optional<Form> form = Form.tryParse(label);
    if (form.isPresent()) {
      return of(form.get());
    }
    if (label.equals(SortableLayouts.ULID.kind())) {
      return of(IdType.ulids());
    }
    List<Layout> layouts =
        LAYOUTS.stream()
            .filter(layout -> layout.isConvertible() && layout.kind().equals(label))
            .toList();
    if (layouts.isEmpty()) {
      throw new IllegalArgumentException(Spelling.unknown("form or kind", label, labels()));
    }
    return new IdReader(
        Optional.empty(),
        Optional.empty(),
        (text, now, isTimed) -> only(layouts, label, text),
        Optional.empty(),
        Optional.empty());
  }

  /** Returns what {@link #parse} reads: the forms, then the kinds. */
  public static List<String> labels() {
    return Stream.concat(
            Arrays.stream(Form.values()).filter(Form::isReadable).map(Form::label),
            LAYOUTS.stream().filter(Layout::isConvertible).map(Layout::kind))
        .distinct()
        .collect(Collectors.toList());
  }

  /**
   * Returns this with the collections of pURIs, which may be compact then. Otherwise the last
   * segment is read as any other text.
   *
   * @param collections called for the first pURI, and by one thread or several
   */
  public IdReader withPuris(Supplier<Puris> collections) {
    return new IdReader(rule, form, source, Optional.of(collections), Optional.empty());
  }

  /**
   * Returns this with the collections of pURIs, of which those of one collection are read. A pURI
   * of another collection is malformed.
   *
   * @param collections called for the first pURI, and by one thread or several
   * @param named a collection of our namespace
   */
  public IdReader withPuris(Supplier<Puris> collections, CollectionSpec named) {
    return new IdReader(rule, form, source, Optional.of(collections), Optional.of(named));
  }

  /**
   * Reads a text and writes it in a form.
   *
   * @throws MalformedIdException if it cannot be read, or has no such form: a UUIDv4 has no time
   * @throws IllegalArgumentException if the form is {@linkplain Form#isOfCollection of a
   *     collection}
   */
  public String write(String text, Form to) {
    if (to.isOfCollection()) {
      throw new IllegalArgumentException(
          "form " + Quoted.of(to.label()) + " needs a namespace and a collection");
    }
    return read(text, to == Form.TIME).write(to, text);
  }

  /**
   * The time in an identifier; empty if it carries none.
   *
   * @throws MalformedIdException if it cannot be read
   */
  public Optional<Instant> time(String text) {
    return read(text, true).time();
  }

  /**
   * The 128 bits of an identifier.
   *
   * @throws MalformedIdException if it cannot be read, or does not have 128 bits
   */
  public Ulid bits(String text) {
    return Ulid.of(Uuids.parse(write(text, Form.UUID)));
  }

  /** What bits in one of the texts of 128 bits are taken for; empty if each text must be read. */
  Optional<BitsRule> rule() {
    return rule;
  }

  /** The only form that is read; empty for every form. */
  Optional<Form> form() {
    return form;
  }

  /**
   * Reads a text.
   *
   * @param isTimed whether the layout and the time matter; if not, they may be those of a ULID
   */
  Decoded read(String text, boolean isTimed) {
    Instant now = InstantSource.system().instant();
    try {
      return source.read(text, now, isTimed);
    } catch (MalformedIdException e) {
      if (form.isPresent()) {
        throw e;
      }
      String stripped = text.strip();
      return stripped(stripped.length() < text.length(), stripped, isTimed)
          .or(() -> puri(stripped, now, isTimed))
          .orElseThrow(() -> e);
    }
  }

  private Optional<Decoded> stripped(boolean isShorter, String text, boolean isTimed) {
    try {
      return isShorter ? Optional.of(read(text, isTimed)) : Optional.empty();
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a pURI; empty if the text is none, or its identifier cannot be read.
   *
   * @throws MalformedIdException if it is of another collection than the named one, or of one whose
   *     identifiers are opaque texts
   */
  private Optional<Decoded> puri(String text, Instant now, boolean isTimed) {
    boolean isCompact = text.indexOf(':') < 0;
    if (isCompact && (!Puris.isCompact(text) || puris.isEmpty())) {
      return Optional.empty();
    }
    Optional<Puris> collections = puris.map(Supplier::get);
    Optional<Puri> read =
        collections.map(all -> all.tryParse(text)).orElseGet(() -> Puri.tryParse(text));
    if (read.isEmpty()) {
      return Optional.empty();
    }
    Puri puri = read.get();
    named
        .filter(only -> !collections.orElseThrow().isOurs(puri, only))
        .ifPresent(only -> refuse(text, "expected one of collection " + Quoted.of(only.name())));
    Optional<KindType<?>> kind =
        collections
            .flatMap(all -> all.collection(puri))
            .map(declared -> IdType.of(declared).kindType());
    kind.filter(KindType::isOpaque)
        .ifPresent(
            opaque ->
                refuse(
                    text,
                    "kind %s has no other form: its identifiers are opaque texts"
                        .formatted(opaque.kind().label())));
    try {
      String id = puri.identifier();
      return Optional.of(
          kind.isPresent() ? decoded(kind.get(), id) : source.read(id, now, isTimed));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  private static void refuse(String text, String reason) {
    throw Malformed.because("identifier", text, reason);
  }

  /** Reads any identifier as the one that is ranked first. */
  private static Decoded ranked(String text, Instant now, boolean isTimed) {
    Optional<TypeId> typeId = TypeId.tryParse(text).filter(id -> !id.prefix().isEmpty());
    Optional<Ulid> bits = typeId.map(id -> Ulid.of(id.uuid())).or(() -> anyBits(text));
    if (bits.isPresent() && !isTimed) {
      return Decoded.of(SortableLayouts.ULID, bits.get());
    }
    Optional<Ulid> uuid = Uuids.tryParse(text).map(Ulid::of);
    if (uuid.isPresent()) {
      return ruled(
          BitsRule.RANKED, uuid.get(), now); // The same as below, in a fraction of the time.
    }
    Optional<Decoded> first =
        Inspector.first(text, now)
            .map(ranked -> Decoded.of(ranked.layout(), ranked.number()))
            .map(decoded -> bits.isPresent() ? decoded.withBits(bits) : decoded);
    return first
        .or(() -> bits.map(known -> ruled(BitsRule.RANKED, known, now)))
        .orElseThrow(() -> malformed(text));
  }

  private static Decoded ruled(BitsRule rule, Ulid bits, Instant now) {
    return Decoded.of(
        rule.layout(bits.mostSignificantBits(), bits.leastSignificantBits(), now.toEpochMilli()),
        bits);
  }

  /** Reads an identifier, or the number that a column of bigint shows. */
  private static Decoded decodedOrNumber(KindType<?> kind, String text) {
    try {
      return decoded(kind, text);
    } catch (MalformedIdException e) {
      boolean isCounted = kind.kind().has(Kind.Option.WIDTH);
      return Optional.of(text)
          .filter(number -> kind.storage() == Kind.Storage.BIGINT)
          .flatMap(Snowflake::tryParse)
          .filter(number -> !isCounted || number.toLong() >= 0)
          .map(number -> kind.decoded(new ColumnValue.Bigint(number.toLong())))
          .orElseThrow(() -> e);
    }
  }

  private static Decoded decoded(KindType<?> kind, String text) {
    Optional<BitsRule> rule = kind.bitsRule();
    if (rule.isEmpty()) {
      return kind.decoded(kind.read(text));
    }
    Ulid bits;
    try {
      bits = Ulid.of(((ColumnValue.Uuid) kind.read(text)).value());
    } catch (MalformedIdException e) {
      Optional<Ulid> typeId = typeIdBits(text);
      if (typeId.isPresent() && kind.kind().has(Kind.Option.PREFIX)) {
        throw e; // A TypeID of another prefix is an identifier of another collection.
      }
      bits = anyBits(text).or(() -> typeId).orElseThrow(() -> malformed(text));
    }
    return kind.decoded(new ColumnValue.Uuid(bits.toUuid()));
  }

  /** Reads identifiers of some layouts alone. */
  private static Decoded only(List<Layout> layouts, String label, String text) {
    Optional<BigInteger> bits = anyBits(text).map(Ulid::toBigInteger);
    for (Layout layout : layouts) {
      Optional<BigInteger> number = layout.width() == Long.SIZE * 2 ? bits : Optional.empty();
      Optional<BigInteger> read = number.or(() -> layout.decode(text)).filter(layout::fits);
      if (read.isPresent()) {
        return Decoded.of(layout, read.get());
      }
    }
    throw Malformed.because(label, text, "not an identifier of this kind");
  }

  private static Optional<Ulid> anyBits(String text) {
    try {
      return Optional.of(Form.readAny(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  private static Optional<Ulid> typeIdBits(String text) {
    return TypeId.tryParse(text).map(id -> Ulid.of(id.uuid()));
  }

  private static MalformedIdException malformed(String text) {
    try {
      Ulid bits = Form.readAny(text);
      throw new IllegalStateException("well formed: " + bits);
    } catch (MalformedIdException e) {
      return e;
    }
  }
}
