package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class IdTypeTest {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final String UUID_TEXT = "017fe093-7adf-9932-aaaa-01fd0ba14d3f";
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);

  private record PaymentId(long value) {
    PaymentId {
      if (value == 13) {
        throw new MalformedIdException("malformed payment: 13");
      }
    }
  }

  private static final IdType<PaymentId> PAYMENT_IDS =
      IdType.sequences(PAYMENTS)
          .map(PaymentId.class, id -> new PaymentId(id.number()), id -> PAYMENTS.of(id.value()));

  /** Every factory, with the texts that it reads loosely as the same identifier. */
  private record Case(IdType<?> type, Class<?> javaType, String text, List<String> loose) {
    Case(IdType<?> type, Class<?> javaType, String text, String... loose) {
      this(type, javaType, text, List.of(loose));
    }

    @Override
    public String toString() {
      return type.kind() + " " + type;
    }
  }

  static Stream<Case> cases() {
    Puris puris =
        Puris.of(
            new Catalog(
                "shop",
                List.of(
                    CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).build(),
                    CollectionSpec.builder("tracks", Kind.ULID).build()),
                List.of()));
    return Stream.of(
            new Case(IdType.ulids(), Ulid.class, ULID, " 01fzg96ypz-k4sanag-1zm5t2k9z", UUID_TEXT),
            new Case(
                IdType.uuidsV7(),
                UUID.class,
                UUID_TEXT,
                "{017FE093-7ADF-9932-AAAA-01FD0BA14D3F}",
                ULID),
            new Case(IdType.uuidsV4(), UUID.class, UUID_TEXT, UUID_TEXT.replace("-", ""), ULID),
            new Case(
                IdType.typeIds("user"),
                TypeId.class,
                "user_01fzg96ypzk4sanag1zm5t2k9z",
                "USER_01FZG96YPZK4SANAG1ZM5T2K9Z ",
                UUID_TEXT,
                ULID),
            new Case(
                IdType.sequences(PAYMENTS), SequenceId.class, "PM000123", "pm123 ", "0123", "123"),
            new Case(
                IdType.snowflakes(), Snowflake.class, "175928847299117063", " 175928847299117063"),
            new Case(IdType.snowflakes(), Snowflake.class, "18446744073709551615"),
            new Case(
                IdType.tsids(),
                Tsid.class,
                "01226N0640J7Q",
                " o1226n-0640j7q",
                "38358284406638839"),
            new Case(IdType.tsids(), Tsid.class, "FZZZZZZZZZZZZ", "18446744073709551615"),
            new Case(IdType.tsids(), Tsid.class, "0123456789012"),
            new Case(
                IdType.ksuids(),
                Ksuid.class,
                "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
                " 0ujtsYcgvSTl8PAuAdqWYSMnLOv"),
            new Case(
                IdType.objectIds(),
                ObjectId.class,
                "507f1f77bcf86cd799439011",
                "507F1F77BCF86CD799439011 "),
            new Case(IdType.xids(), Xid.class, "9m4e2mr0ui3e8a215n4g", "9M4E2MR0UI3E8A215N4G"),
            new Case(
                IdType.nanoIds(), NanoId.class, "V1StGXR8_Z5jdHi6B-myT", " V1StGXR8_Z5jdHi6B-myT"),
            new Case(IdType.texts(), String.class, "Chicken prime"),
            new Case(IdType.puris(), Puri.class, "shop:anything:X1"),
            new Case(
                IdType.puris(puris), Puri.class, "shop:payments:PM000123", "shop:payments:pm123"),
            new Case(
                puris.typed("payments", Object.class).idType(),
                TypedId.class,
                "shop:payments:PM000123",
                " shop:payments:pm123"),
            new Case(
                puris.typed("tracks", Object.class).puriType(),
                Puri.class,
                "shop:tracks:" + ULID,
                "shop:tracks:" + UUID_TEXT),
            new Case(PAYMENT_IDS, PaymentId.class, "PM000123", "123"))
        .flatMap(
            each ->
                Stream.of(
                    each,
                    new Case(each.type.asText(), each.javaType, each.text, each.loose),
                    new Case(each.type.asText().asText(), each.javaType, each.text, each.loose)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void readsWhatItWritesAndStores(Case one) {
    roundTrip(one, one.type);
  }

  private static <T> void roundTrip(Case one, IdType<T> type) {
    T id = type.parse(one.text);
    ColumnValue stored = type.toStored(id);

    assertThat(type.javaType()).isEqualTo(one.javaType).isEqualTo(id.getClass());
    assertThat(type.format(id)).isEqualTo(one.text);
    assertThat(stored.storage()).isEqualTo(type.storage());
    assertThat(type.fromStored(stored)).isEqualTo(id);
    assertThat(type.tryParse(one.text)).contains(id);
    assertThat(type.parseLoosely(one.text)).isEqualTo(id);
    for (String loose : one.loose) {
      assertThat(type.parseLoosely(loose)).as(loose).isEqualTo(id);
    }
  }

  @Test
  void storesTheSmallFormAndTheTextInAColumnOfText() {
    SequenceId id = PAYMENTS.of(123);

    assertThat(IdType.sequences(PAYMENTS).toStored(id)).isEqualTo(new ColumnValue.Bigint(123));
    assertThat(IdType.sequences(PAYMENTS).asText().toStored(id))
        .isEqualTo(new ColumnValue.Text("PM000123"));
    assertThat(IdType.ulids().toStored(Ulid.parse(ULID)).toString()).isEqualTo(UUID_TEXT);
    assertThat(PAYMENT_IDS.toStored(new PaymentId(7))).isEqualTo(new ColumnValue.Bigint(7));
    assertThat(PAYMENT_IDS.asText().fromStored(new ColumnValue.Text("PM000007")))
        .isEqualTo(new PaymentId(7));
  }

  @Test
  void refusesIdentifiersOfAnotherTypeAndTextsThatAreNotCanonical() {
    IdType<SequenceId> payments = IdType.sequences(PAYMENTS);
    SequenceId refund = new SequenceId.Format("RF", 6).of(1);

    assertThatThrownBy(() -> payments.toStored(refund))
        .isInstanceOf(MalformedIdException.class)
        .hasMessage("malformed sequence id \"RF000001\": expected prefix \"PM\", found \"RF\"");
    assertThatThrownBy(() -> payments.format(refund)).isInstanceOf(MalformedIdException.class);
    assertThatThrownBy(() -> IdType.typeIds("user").toStored(TypeId.mint("order")))
        .isInstanceOf(MalformedIdException.class);
    assertThat(payments.tryParse("pm123")).isEmpty();
    assertThat(payments.tryParseLoosely("pm12x")).isEmpty();
    assertThatThrownBy(
            () -> IdType.puris().asText().fromStored(new ColumnValue.Text("shop:%41:X1")))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageContaining("its canonical text is \"shop:A:X1\"");
    assertThatThrownBy(() -> payments.fromStored(new ColumnValue.Text("PM000123")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sequence id is kept as bigint: found \"PM000123\" of text");
    assertThatThrownBy(() -> PAYMENT_IDS.parse("PM000013")).hasMessage("malformed payment: 13");
  }

  @Test
  void aTextThatIsNotTheCanonicalOneIsNotInTheColumn() {
    IdType<String> cuts = texts(CollectionSpec.builder("cuts", Kind.TEXT).build());
    IdType<String> suppliers =
        texts(CollectionSpec.builder("suppliers", Kind.TEXT).caseSensitive(true).build());

    assertThat(cuts.parse("Chicken")).isEqualTo("chicken");
    assertThat(cuts.fromStored(new ColumnValue.Text("chicken"))).isEqualTo("chicken");
    assertThatThrownBy(() -> cuts.fromStored(new ColumnValue.Text("Chicken")))
        .isInstanceOf(MalformedIdException.class)
        .hasMessage("malformed text \"Chicken\": its canonical text is \"chicken\"");
    assertThat(suppliers.fromStored(new ColumnValue.Text("X7a"))).isEqualTo("X7a");
    assertThatThrownBy(() -> cuts.fromStored(new ColumnValue.Bigint(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("text is kept as text: found \"1\" of bigint");
  }

  @SuppressWarnings("unchecked") // Collections of the kind text have strings.
  private static IdType<String> texts(CollectionSpec collection) {
    return (IdType<String>) IdType.of(collection);
  }

  @Test
  void aCollectionIsATypeInTheStorageThatItDeclares() {
    IdType<?> payments =
        IdType.of(CollectionSpec.builder("p", Kind.SEQUENCE).prefix("PM").width(6).build());
    IdType<?> tracks =
        IdType.of(CollectionSpec.builder("t", Kind.ULID).storage(Kind.Storage.TEXT).build());

    assertThat(payments.toString()).isEqualTo("sequence id in bigint");
    assertThat(payments.javaType()).isEqualTo(SequenceId.class);
    assertThat(tracks.toString()).isEqualTo("ULID in text");
    assertThat(tracks.fromStored(new ColumnValue.Text(ULID))).isEqualTo(Ulid.parse(ULID));
    assertThat(IdType.of(CollectionSpec.builder("v", Kind.NANOID).build()).javaType())
        .isEqualTo(String.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"TEXT", "SEQUENCE"})
  void mintedTextsFitThePatternOfTheirKindUnlessItHasNone(Kind kind) {
    IdType<?> type = IdType.of(kind, kind.has(Kind.Option.PREFIX) ? "user" : "");
    MintSettings settings =
        kind.has(Kind.Option.NODE) ? MintSettings.NONE.withNode(3) : MintSettings.NONE;

    assertThat(type.textPattern().isEmpty()).isEqualTo(kind == Kind.NANOID);
    type.textPattern()
        .ifPresent(
            pattern ->
                assertThat(minted(type, settings))
                    .allSatisfy(text -> assertThat(text).matches(pattern)));
  }

  private static <T> List<String> minted(IdType<T> type, MintSettings settings) {
    return Mint.of(type, settings, MintOptions.DEFAULT).mint(100).stream()
        .map(type::format)
        .toList();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyKindIsATypeThatMintsOrSaysWhyNot(Kind kind) {
    IdType<?> type = IdType.of(kind, "");
    MintSettings settings =
        kind.has(Kind.Option.NODE) ? MintSettings.NONE.withNode(3) : MintSettings.NONE;

    assertThat(type.kind()).isEqualTo(kind);
    assertThat(type.storage()).isEqualTo(kind.storage());
    if (kind.isMinted()) {
      assertMints(type, settings, options(kind));
    } else {
      assertThatThrownBy(type::mint)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("kind " + kind.label() + " cannot be minted");
    }
  }

  /** A counter that begins near its end makes a mint go ahead of the clock: here it does not. */
  private static MintOptions options(Kind kind) {
    boolean countsFromAnywhere = kind == Kind.OBJECTID || kind == Kind.XID;
    return countsFromAnywhere
        ? MintOptions.DEFAULT.withEntropy(new Random(7))
        : MintOptions.DEFAULT;
  }

  private static <T> void assertMints(IdType<T> type, MintSettings settings, MintOptions options) {
    Mint<T> mint = Mint.of(type, settings, options);
    Set<T> minted = new HashSet<>(mint.mint(100));
    minted.add(mint.mint());

    assertThat(minted).hasSize(101).allMatch(type.javaType()::isInstance);
    assertThat(minted).allMatch(id -> type.parse(type.format(id)).equals(id));
    assertThat(mint.drift()).isZero();
  }

  @Test
  void mintsWhatTheTypeDeclares() {
    assertThat(IdType.typeIds("user").mint().prefix()).isEqualTo("user");
    assertThat(Uuids.version(IdType.uuidsV7().mint())).isEqualTo(7);
    assertThat(Uuids.version(IdType.uuidsV4().mint())).isEqualTo(4);
    assertThat(IdType.nanoIds(NanoId.Format.of("ab", 9)).mint().toString()).matches("[ab]{9}");
    assertThat(IdType.ulids().asText().mint().time()).isAfter(Instant.EPOCH);
    List<Ulid> ascending =
        Mint.of(IdType.ulids(), MintSettings.NONE.withOrder(Order.ASCENDING), MintOptions.DEFAULT)
            .mint(1000);
    assertThat(ascending).isSorted();
    assertThat(IdType.ulids().map(String.class, Ulid::toString, Ulid::parse).mint()).hasSize(26);
  }

  @Test
  void refusesSettingsThatTheKindDoesNotHave() {
    MintSettings ordered = MintSettings.NONE.withOrder(Order.ASCENDING);

    assertRefused(
        IdType.nanoIds(), ordered, "kind nanoid has no order: that is of ulid, uuidv7 and typeid");
    assertRefused(
        IdType.ulids(),
        MintSettings.NONE.withNode(1),
        "kind ulid has no node: that is of snowflake and tsid");
    assertRefused(
        IdType.snowflakes(SnowflakeLayout.SONY),
        MintSettings.NONE,
        "kind snowflake needs a node: 0 to 65535, a number that no other process has");
    assertRefused(
        IdType.tsids(),
        MintSettings.NONE,
        "kind tsid needs a node: 0 to 1023, a number that no other process has");
  }

  @Test
  void timesOfKindsKeptAsTextAreRead() {
    assertThat(IdType.ksuids().time(Ksuid.parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv")))
        .contains(Instant.parse("2017-10-10T04:00:47Z"));
    assertThat(IdType.objectIds().time(ObjectId.parse("507f1f77bcf86cd799439011")))
        .contains(Instant.parse("2012-10-17T21:13:27Z"));
    assertThat(IdType.xids().time(Xid.parse("00000000000000000000"))).contains(Instant.EPOCH);
    assertThat(IdType.tsids().asText().time(Tsid.parse("01226N0640J7Q")))
        .contains(Instant.parse("2020-04-15T20:22:07.665Z"));
    assertThat(IdReader.of(IdType.xids()).write("9M4E2MR0UI3E8A215N4G", Form.HEX))
        .isEqualTo("4d88e15b60f486e428412dc9");
    assertThat(IdType.nanoIds().time(NanoId.mint())).isEmpty();
  }

  @Test
  void aTextThatIsNotCanonicalIsNotAStoredValue() {
    assertThatThrownBy(() -> IdType.xids().fromStored(new ColumnValue.Text("9M4E2MR0UI3E8A215N4G")))
        .isInstanceOf(MalformedIdException.class);
    assertThatThrownBy(
            () -> IdType.objectIds().fromStored(new ColumnValue.Text("507F1F77BCF86CD799439011")))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageEndingWith("its canonical text is \"507f1f77bcf86cd799439011\"");
    assertThatThrownBy(() -> IdType.ksuids().fromStored(new ColumnValue.Bigint(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("KSUID is kept as text: found \"1\" of bigint");
  }

  private static void assertRefused(IdType<?> type, MintSettings settings, String message) {
    assertThatThrownBy(() -> Mint.of(type, settings, MintOptions.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aCacheSharesTheMintOfAKindBetweenItsTypes() {
    MintCache mints = MintCache.at(Instant.parse("2026-01-31T12:00:00Z"));
    MintSettings node = MintSettings.NONE.withNode(7);
    IdType<Snowflake> orders = IdType.snowflakes();
    IdType<Snowflake> parcels = IdType.snowflakes().asText();
    Set<Snowflake> ids = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      ids.add(mints.mint(orders, node).mint());
      ids.add(mints.mint(parcels, node).mint());
    }
    IdType<TypeId> users = IdType.typeIds("user");
    MintSettings ascending = MintSettings.NONE.withOrder(Order.ASCENDING);
    UUID user = mints.mint(users, ascending).mint().uuid();
    UUID order = mints.mint(IdType.typeIds("order"), ascending).mint().uuid();

    assertThat(ids).hasSize(20);
    assertThat(Uuids.compare(user, order)).isNegative();
    assertThatThrownBy(() -> mints.mint(orders, node).mint(4096)).isInstanceOf(MintException.class);
  }

  @Test
  void aMaskOpensWhatItShowsOfAnyType() {
    Keyring keyring = Keyring.of('3', KeyringTest.secret(1));
    CollectionSpec.Face face = new CollectionSpec.Face("pay", "payments");
    Mask<PaymentId> mask = Mask.of(PAYMENT_IDS, keyring, face);

    assertThat(mask.show(new PaymentId(123))).isEqualTo(Mask.ofNumbers(keyring, face).show(123L));
    assertThat(mask.open(mask.show(new PaymentId(123)))).isEqualTo(new PaymentId(123));
    assertThat(mask.tryOpen(Mask.ofNumbers(keyring, face).show(-1L))).isEmpty();
    assertThat(
            Mask.of(IdType.ulids(), keyring, face)
                .open(Mask.ofUuids(keyring, face).show(Ulid.parse(ULID).toUuid())))
        .isEqualTo(Ulid.parse(ULID));
    assertThatThrownBy(() -> Mask.of(IdType.texts(), keyring, face))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void transcodesOnlyKindsOf128Bits() {
    Set<Kind> with =
        new HashSet<>(
            Arrays.stream(Kind.values())
                .filter(kind -> IdType.of(kind, "").transcoder(Optional.empty()).isPresent())
                .toList());

    assertThat(with).containsExactlyInAnyOrder(Kind.ULID, Kind.UUIDV7, Kind.UUIDV4, Kind.TYPEID);
  }
}
