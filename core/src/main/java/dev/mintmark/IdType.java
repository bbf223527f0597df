package dev.mintmark;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * A type of identifier: how its identifiers are read, written, stored and minted. Everything that
 * handles identifiers of any kind takes one: columns, search, masks, mints, adapters of frameworks.
 *
 * <pre>
 *   type                          Java         kind        stored as
 *   ulids()                       Ulid         ulid        uuid
 *   uuidsV7(), uuidsV4()          UUID         uuidv7, v4  uuid
 *   typeIds("user")               TypeId       typeid      uuid, without the prefix
 *   sequences(format)             SequenceId   sequence    bigint, the number alone
 *   snowflakes(layout)            Snowflake    snowflake   bigint
 *   tsids()                       Tsid         tsid        bigint
 *   nanoIds(format)               NanoId       nanoid      text
 *   ksuids()                      Ksuid        ksuid       text
 *   objectIds()                   ObjectId     objectid    text
 *   xids()                        Xid          xid         text
 *   texts()                       String       text        text
 *   puris(), {@link TypedCollection#puriType}      Puri         text        text, or as the collection has it
 *   of(collection)                as above     its kind    as the collection has it
 *   wrapping(class, collection)   the class    its kind    as the collection has it
 * </pre>
 *
 * <p><b>Three ways to read.</b> {@link #parse} reads the text that {@link #format} writes. {@link
 * #parseLoosely} also reads what people type and paste. {@link #fromStored} reads what a column
 * holds.
 *
 * <p><b>A class of your own</b> is an {@code IdType} mapped by two functions; {@link IdTypes}
 * declares it once for all adapters:
 *
 * <pre>{@code
 * record PaymentId(long value) {}
 *
 * SequenceId.Format format = new SequenceId.Format("PM", 6);
 * IdType<PaymentId> payments =
 *     IdType.sequences(format)
 *         .map(PaymentId.class, id -> new PaymentId(id.number()), id -> format.of(id.value()));
 * payments.parse("PM000123");              // PaymentId[value=123]
 * payments.toStored(new PaymentId(123));   // 123, a ColumnValue.Bigint
 * }</pre>
 *
 * <p>Immutable, and so safe in any number of threads, as long as the functions of mapped types are.
 *
 * @param <T> the Java class of the identifiers
 */
public abstract sealed class IdType<T> permits KindType, MappedType, PuriType, TextType {
  IdType() {}

  /** ULIDs. */
  public static IdType<Ulid> ulids() {
    return new KindType.Ulids();
  }

  /** UUIDs, of which new ones are UUIDv7. UUIDs of every version are read. */
  public static IdType<UUID> uuidsV7() {
    return new KindType.AnyUuids(Kind.UUIDV7, Mint::ofUuidsV7);
  }

  /** UUIDs, of which new ones are UUIDv4. UUIDs of every version are read. */
  public static IdType<UUID> uuidsV4() {
    return new KindType.AnyUuids(Kind.UUIDV4, StatelessMint::ofUuidsV4);
  }

  /**
   * TypeIDs of one type.
   *
   * @param prefix the type; identifiers of another type are refused. May be empty
   * @throws IllegalArgumentException if the prefix is malformed
   */
  public static IdType<TypeId> typeIds(String prefix) {
    return new KindType.TypeIds(prefix);
  }

  /**
   * Numbers of one sequence.
   *
   * @param format identifiers with another prefix are refused
   */
  public static IdType<SequenceId> sequences(SequenceId.Format format) {
    return new KindType.Sequences(format);
  }

  /** Snowflakes, of which new ones have the layout of Twitter. */
  public static IdType<Snowflake> snowflakes() {
    return snowflakes(SnowflakeLayout.TWITTER);
  }

  /**
   * Snowflakes.
   *
   * @param layout the layout of new ones. All numbers of 64 bits are read
   */
  public static IdType<Snowflake> snowflakes(SnowflakeLayout layout) {
    return new SnowflakeType(layout);
  }

  /** TSIDs, of which new ones have a node of 10 bits. All numbers of 64 bits are read. */
  public static IdType<Tsid> tsids() {
    return new TsidType();
  }

  /**
   * KSUIDs, in columns of text. Declare such a column with {@code collate "C"}: other collations do
   * not sort KSUIDs by time.
   */
  public static IdType<Ksuid> ksuids() {
    return TimedTextType.ofKsuids();
  }

  /** ObjectIds, in columns of text: 24 hexadecimal digits in lower case. */
  public static IdType<ObjectId> objectIds() {
    return TimedTextType.ofObjectIds();
  }

  /** Xids, in columns of text: 20 characters in lower case. */
  public static IdType<Xid> xids() {
    return TimedTextType.ofXids();
  }

  /** NanoIDs of {@link NanoId.Format#DEFAULT}. */
  public static IdType<NanoId> nanoIds() {
    return nanoIds(NanoId.Format.DEFAULT);
  }

  /** NanoIDs of one format. */
  public static IdType<NanoId> nanoIds(NanoId.Format format) {
    return new NanoIdType(format);
  }

  /** Opaque texts that others made, of which letter case matters. */
  public static IdType<String> texts() {
    return new OpaqueType(Kind.TEXT, true);
  }

  /** Whole pURIs as text, without a catalog: each is stored as it is. */
  public static IdType<Puri> puris() {
    return PuriType.whole(Puri::parse, puri -> puri, true);
  }

  /**
   * Whole pURIs of any collections as text. Each is stored as {@link Puris#resolve} returns it. One
   * that was stored under an alias of its collection is read.
   */
  public static IdType<Puri> puris(Puris puris) {
    return PuriType.whole(puris::parse, puris::resolve, false);
  }

  /**
   * Identifiers of a kind, of which nothing but a prefix is declared.
   *
   * @param prefix empty if there is none
   * @throws IllegalArgumentException if the kind has no such prefix
   */
  public static IdType<?> of(Kind kind, String prefix) {
    if (!prefix.isEmpty() && !kind.has(Kind.Option.PREFIX)) {
      throw new IllegalArgumentException("kind " + kind.label() + " has no prefix");
    }
    return kind.type(new KindRow.Text(prefix, 0, kind.isCaseSensitive()));
  }

  /**
   * Identifiers of a collection, in the storage that it declares, minted in the order that it
   * declares. If it declares {@code mint: server}, the type has no mint.
   */
  public static IdType<?> of(CollectionSpec collection) {
    IdType<?> type = collection.kind().type(KindRow.Text.of(collection));
    IdType<?> stored = collection.storage() == type.storage() ? type : type.asText();
    return declared(stored, collection);
  }

  /** The type with what the collection declares of its mints. */
  static <T> IdType<T> declared(IdType<T> type, CollectionSpec collection) {
    return collection.mint().equals(MintDeclaration.NONE)
        ? type
        : MappedType.declaredBy(collection, type);
  }

  /**
   * Identifiers of a collection as a record of your own with one component:
   *
   * <pre>
   *   long, Long         the number, if the kind of the collection is kept as bigint
   *   UUID               the 128 bits, if its kind is kept as uuid
   *   Ulid, SequenceId   or another class, if {@link #of(CollectionSpec)} has it
   *   String             the canonical text
   * </pre>
   *
   * <pre>{@code
   * record PaymentId(long value) {}
   * IdType.wrapping(PaymentId.class, payments).parse("PM000123");   // PaymentId[value=123]
   * }</pre>
   *
   * <p>The record may be private. In a named module its package is open to {@code dev.mintmark},
   * unless it is exported and the record is public. Exceptions of its constructor pass through. A
   * record that holds what the collection does not, as a negative number of a sequence, fails with
   * a {@link MalformedIdException} when it is written.
   *
   * @param javaType the record
   * @throws IllegalArgumentException if it is not such a record, or cannot be called
   */
  public static <W> IdType<W> wrapping(Class<W> javaType, CollectionSpec collection) {
    return Wrapping.of(javaType, collection);
  }

  /** What messages call one of these identifiers: {@code ULID}. */
  public abstract String name();

  /** How the identifiers are made. */
  public abstract Kind kind();

  /** What a column holds. */
  public abstract Kind.Storage storage();

  /** The class of the identifiers. */
  public abstract Class<T> javaType();

  /**
   * Reads the text that {@link #format} writes.
   *
   * @throws MalformedIdException if it is none
   */
  public abstract T parse(String text);

  /** Reads what {@link #parse} reads; empty where it throws. */
  public final Optional<T> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads every text that names one identifier: another text of the same 128 bits, either letter
   * case if the kind has none, any number of zeros before the number of a sequence, with or without
   * its prefix, and what {@link Ulid#parseLoosely} and {@link Uuids#parseLoosely} read.
   *
   * @throws MalformedIdException if it names none
   */
  public abstract T parseLoosely(String text);

  /** Reads what {@link #parseLoosely} reads; empty where it throws. */
  public final Optional<T> tryParseLoosely(String text) {
    try {
      return Optional.of(parseLoosely(text));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes the canonical text.
   *
   * @throws MalformedIdException if the identifier is of another type, sequence or collection
   */
  public abstract String format(T id);

  /**
   * Returns what a column holds of an identifier.
   *
   * @throws MalformedIdException if the identifier is of another type, sequence or collection, or
   *     if PostgreSQL cannot store its text
   */
  public abstract ColumnValue toStored(T id);

  /**
   * Reads what a column holds: the value that {@link #toStored} returns.
   *
   * @throws MalformedIdException if the value is no identifier of this type, or not its canonical
   *     text
   * @throws IllegalArgumentException if the value has another storage
   */
  public abstract T fromStored(ColumnValue stored);

  /**
   * The time in an identifier; empty if it carries none. A ULID has it in its first 48 bits, of
   * which some look like the version of a UUID; a UUID or a TypeID has it where its version says; a
   * Snowflake where its layout says; the others where their specification says.
   *
   * @throws MalformedIdException if the identifier is of another type, sequence or collection
   */
  public final Optional<Instant> time(T id) {
    return kindType().timeOfStored(toStored(id));
  }

  /**
   * Makes an identifier of the present time from strong entropy. To make many, or in an {@link
   * Order}, keep a mint: {@link Mint#of(IdType, MintSettings, MintOptions)}.
   *
   * @throws IllegalArgumentException if a mint does not make this kind ({@link Kind#isMinted}),
   *     requires the number of its node ({@link Kind.Option#NODE}), or the collection declares that
   *     the server mints
   */
  public final T mint() {
    return Mint.of(this).mint();
  }

  /**
   * The same identifiers in a column of text, which holds what {@link #format} writes: the 26
   * characters of a ULID, {@code PM000123}, a whole pURI.
   */
  public IdType<T> asText() {
    return new TextType<>(this);
  }

  /**
   * The same identifiers as another class.
   *
   * @param javaType the class
   * @param to makes one of that class; its exceptions pass through
   * @param from the inverse of {@code to}
   */
  public final <U> IdType<U> map(
      Class<U> javaType,
      Function<? super T, ? extends U> to,
      Function<? super U, ? extends T> from) {
    return new MappedType<>(this, javaType, to, from);
  }

  /**
   * Returns a transcoder that reads identifiers in bytes and writes what {@link #format} writes.
   *
   * @param from the form that is read; empty for every form that {@link Form#readAny} reads
   * @return empty if the kind does not have 128 bits
   * @throws IllegalArgumentException if {@code from} is not {@linkplain Form#isReadable readable}
   */
  public Optional<Transcoder> transcoder(Optional<Form> from) {
    return Optional.empty();
  }

  /** The prefix in the text of its kind: {@code user_} of TypeIDs, {@code PM}; may be empty. */
  public String textPrefix() {
    return "";
  }

  /**
   * A regular expression that matches each text of its kind that {@link #format} writes, in the
   * common part of ECMA-262 and {@link java.util.regex.Pattern}, without anchors. It has no
   * alternative at the top level. Empty if the texts have no common form. The range of numbers is
   * not part of it, and neither are namespace and collection of pURIs.
   */
  public final Optional<String> textPattern() {
    return kindType().pattern();
  }

  /**
   * As {@link #textPattern}, of what a {@linkplain Puris#toCompact compact} pURI has after its
   * codes: 22 characters of base64url for 128 bits, the plain number of a sequence.
   */
  public final Optional<String> compactTextPattern() {
    return kindType().compactPattern();
  }

  /** The order of mints that the collection of these identifiers declares; empty if it does not. */
  public final Optional<Order> declaredOrder() {
    return declaredBy().flatMap(collection -> collection.mint().order());
  }

  /** The collection that declares how these identifiers are minted; empty if none does. */
  Optional<CollectionSpec> declaredBy() {
    return Optional.empty();
  }

  /**
   * The settings of a mint, with the order of the collection unless they have one.
   *
   * @throws IllegalArgumentException if the collection declares that the server mints
   */
  final MintSettings declared(MintSettings settings) {
    declaredBy().ifPresent(CollectionSpec::checkMintedHere);
    Optional<Order> order = settings.order().or(this::declaredOrder);
    return order.isPresent() ? settings.withOrder(order.get()) : settings;
  }

  /** The type of the same identifiers in the storage of their kind. */
  abstract KindType<?> kindType();

  /** Makes a mint of these identifiers over one of the values that columns hold. */
  abstract Mint<T> mint(MintSource source);

  /** For people: {@code ULID in uuid}. */
  @Override
  public String toString() {
    return name() + " in " + storage().label();
  }
}
