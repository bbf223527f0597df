package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class IdReaderTest {
  private static final int ULIDS = 100_000;

  private static final Catalog CATALOG =
      new Catalog(
          new NamespaceSpec(
              "shop",
              Optional.of("s"),
              List.of(
                  CollectionSpec.builder("tracks", Kind.ULID).build(),
                  CollectionSpec.builder("users", Kind.TYPEID).prefix("user").build(),
                  payments(),
                  CollectionSpec.builder("invoices", Kind.SEQUENCE).prefix("IN").build(),
                  CollectionSpec.builder("cuts", Kind.TEXT).build(),
                  CollectionSpec.builder("names", Kind.NANOID).code("n").build())),
          List.of(new NamespaceSpec("partner", Optional.of("p"), List.of(payments()))),
          List.of());

  private static CollectionSpec payments() {
    return CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").code("p").build();
  }

  @ParameterizedTest
  @CsvSource({
    "C232AB00-9414-11EC-B3C8-9F6BDECED846, 2022-02-22T19:22:22.000Z",
    "1EC9414C-232A-6B00-B3C8-9F6BDECED846, 2022-02-22T19:22:22.000Z",
    "017F22E2-79B0-7CC3-98C4-DC0C0C07398F, 2022-02-22T19:22:22.000Z",
    "061ff8d8-e24b-7000-8092-ca1e5440d491, 2022-02-06T08:57:50.587Z",
    "017fe093-7adf-9932-aaaa-01fd0ba14d3f, 2022-03-31T15:23:55.999Z",
    "01FZG96YPZK4SANAG1ZM5T2K9Z, 2022-03-31T15:23:55.999Z",
    "1734971723, 2024-12-23T16:35:23.000Z",
    "175928847299117063, 2012-03-03T13:01:20.453Z",
    "user_01h455vb4pex5vsknk084sn02q, 2023-06-30T03:34:18.518Z",
    "507f1f77bcf86cd799439011, 2012-10-17T21:13:27.000Z",
    "0ujtsYcgvSTl8PAuAdqWYSMnLOv, 2017-10-10T04:00:47.000Z",
    "my-org:tracks:01FZG96YPZK4SANAG1ZM5T2K9Z, 2022-03-31T15:23:55.999Z",
  })
  void timeIsThatOfTheReadingThatIsRankedFirst(String text, String time) {
    assertThat(IdReader.ranked().write(text, Form.TIME)).isEqualTo(time);
    assertThat(transcoded(IdReader.ranked(), text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "04dbe983-a9af-4776-9ca9-fd10e5a80636",
        "123",
        "PM000123",
        "00000000-0000-0000-0000-000000000000"
      })
  void identifierWithoutATimeIsRejected(String text) {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> IdReader.ranked().write(text, Form.TIME))
        .withMessageStartingWith("no time in \"" + text + "\": it is read as ");
    assertThat(transcoded(IdReader.ranked(), text)).isNull();
    assertThat(IdReader.ranked().time(text)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#identifiers")
  void vectorsHaveTheTimeOfTheirFirstReading(JsonNode vector) {
    String text = vector.path("input").stringValue();
    Optional<Reading> first = Inspector.inspect(text).stream().findFirst();
    if (first.isEmpty() || List.of("mask", "prefixed").contains(first.get().kind())) {
      return;
    }

    assertThat(IdReader.ranked().time(text)).isEqualTo(first.get().time());
    assertThat(Optional.ofNullable(transcoded(IdReader.ranked(), text)))
        .isEqualTo(first.get().time().map(Form::timeText));
  }

  /** One in eight has the version and variant of a UUID by chance. */
  @Test
  void declaredUlidsKeepTheirTimeOnEverySurface() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    IdType<Ulid> type = IdType.ulids();
    List<IdReader> declared =
        List.of(
            IdReader.parse("ulid"),
            IdReader.of(type),
            IdReader.of(type.asText()),
            IdReader.of(IdType.of(CATALOG.collection("tracks").orElseThrow())));
    List<Transcoder> transcoders =
        declared.stream().map(reader -> Transcoder.of(reader, Form.TIME)).toList();
    for (int i = 0; i < ULIDS; i++) {
      Ulid id = Ulid.of(random.nextLong(), random.nextLong());
      String expected = Form.timeText(Instant.ofEpochMilli(id.timeMillis()));
      String uuid = id.toUuid().toString();

      assertThat(id.to(Form.TIME)).as("seed %d", seed).isEqualTo(expected);
      assertThat(type.time(Ulid.of(id.toUuid()))).hasValue(id.time());
      assertThat(transcoded(Transcoder.to(Form.TIME), id.toString())).isEqualTo(expected);
      assertThat(transcoded(transcoders.get(i % transcoders.size()), uuid)).isEqualTo(expected);
      assertThat(transcoded(transcoders.get(i % transcoders.size()), id.toString()))
          .isEqualTo(expected);
      if (i % 20 == 0) {
        assertThat(declared.get(i / 20 % declared.size()).write(uuid, Form.TIME))
            .isEqualTo(expected);
      }
    }
  }

  @Property(tries = 5_000)
  @Tag("slow")
  void bitsOfAUuidAreRankedAsTheirText(@ForAll Ulid id) {
    checkRank(id);
  }

  @Property(tries = 20_000)
  @Tag("slow")
  void bitsOfAnyTimeAndVersionAreRankedAsTheirText(
      @ForAll @LongRange(min = 0, max = 0xFFFF_FFFF_FFFFL) long millis,
      @ForAll @LongRange(min = 600_000_000_000L, max = 2_000_000_000_000L) long plausible,
      @ForAll Ulid random,
      @ForAll boolean isPlausible) {
    long time = isPlausible ? plausible : millis;
    checkRank(
        Ulid.of(
            time << 16 | (random.mostSignificantBits() & 0xFFFF), random.leastSignificantBits()));
  }

  private static void checkRank(Ulid id) {
    String text = id.toUuid().toString();
    Optional<Reading> first = Inspector.inspect(text).stream().findFirst();

    assertThat(IdReader.ranked().time(text)).isEqualTo(first.flatMap(Reading::time));
    assertThat(Optional.ofNullable(transcoded(IdReader.ranked(), text)))
        .isEqualTo(first.flatMap(Reading::time).map(Form::timeText));
    assertThat(Optional.ofNullable(transcoded(IdReader.of(Form.UUID), text)))
        .isEqualTo(Uuids.time(id.toUuid()).map(Form::timeText));
  }

  @Property
  void timesAreWrittenAsByTheJdk(
      @ForAll @LongRange(min = -12_219_292_800_000L, max = 0xFFFF_FFFF_FFFFL) long millis) {
    byte[] target = new byte[TimeText.LENGTH_MAX];
    int length = TimeText.write(millis, target, 0);

    assertThat(new String(target, 0, length, StandardCharsets.US_ASCII))
        .isEqualTo(Form.timeText(Instant.ofEpochMilli(millis)));
  }

  @Test
  void aKindPinsTheReading() {
    String v4 = "04dbe983-a9af-4776-9ca9-fd10e5a80636";

    assertThat(IdReader.parse("ulid").write(v4, Form.TIME)).startsWith("2139-");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> IdReader.parse("uuid").write(v4, Form.TIME))
        .withMessage("no time in \"" + v4 + "\": it is read as uuidv4");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> IdReader.parse("uuidv7").write(v4, Form.TIME))
        .withMessage("malformed uuidv7 \"" + v4 + "\": not an identifier of this kind");
    assertThat(IdReader.parse("snowflake-discord").write("175928847299117063", Form.TIME))
        .isEqualTo("2016-04-30T11:18:25.796Z");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdReader.parse("ulld"))
        .withMessageStartingWith(
            "unknown form or kind \"ulld\": did you mean \"ulid\"? expected one of text, lower,");
    assertThat(IdReader.labels()).contains("ulid", "uuid", "typeid", "unix-seconds");
  }

  @Test
  void kindsThatAreNo128BitsHaveTheirOwnForms() {
    assertThat(IdReader.ranked().write("507f1f77bcf86cd799439011", Form.HEX))
        .isEqualTo("507f1f77bcf86cd799439011");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> IdReader.ranked().write("507f1f77bcf86cd799439011", Form.UUID))
        .withMessage(
            "no form \"uuid\" of \"507f1f77bcf86cd799439011\": it is read as objectid, which has 96"
                + " bits");
    assertThat(IdReader.ranked().write("user_01h455vb4pex5vsknk084sn02q", Form.UUID))
        .isEqualTo("01890a5d-ac96-774b-bcce-b302099a8057");
    assertThat(IdReader.ranked().write("123", Form.UUID))
        .isEqualTo("00000000-0000-0000-0000-00000000007b");
  }

  @Test
  void purisAreReadByTheirCollection() {
    IdReader reader = IdReader.ranked().withPuris(() -> Puris.of(CATALOG));
    String uuid = "01890a5d-ac96-774b-bcce-b302099a8057";

    assertThat(reader.write("shop:users:user_01h455vb4pex5vsknk084sn02q", Form.UUID))
        .isEqualTo(uuid);
    assertThat(reader.write("shop:tracks:" + uuid, Form.TIME))
        .isEqualTo("2023-06-30T03:34:18.518Z");
    assertThat(reader.write("shop:payments:PM000123", Form.INT)).isEqualTo("123");
    assertThat(reader.write("elsewhere:users:" + uuid, Form.TEXT))
        .isEqualTo("01H455VB4PEX5VSKNK084SN02Q");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> reader.write("shop:payments:PM000123", Form.TIME))
        .withMessage("no time in \"shop:payments:PM000123\": it is read as sequence");
  }

  @Test
  void aPuriOfOpaqueTextIsMalformed() {
    IdReader reader = IdReader.ranked().withPuris(() -> Puris.of(CATALOG));

    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> reader.write("shop:cuts:abc", Form.INT))
        .withMessage(
            "malformed identifier \"shop:cuts:abc\": kind text has no other form: its identifiers are"
                + " opaque texts");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> reader.write("s.n.V1StGXR8_Z5jdHi6B-myT", Form.UUID))
        .withMessageContaining("kind nanoid has no other form");
  }

  @Test
  void aPuriOfAnotherCollectionThanTheNamedOneIsMalformed() {
    CollectionSpec payments = CATALOG.collection("payments").orElseThrow();
    IdReader reader = IdReader.of(IdType.of(payments)).withPuris(() -> Puris.of(CATALOG), payments);

    assertThat(reader.write(" shop:payments:PM7", Form.INT)).isEqualTo("7");
    assertThat(reader.write("s.p.7", Form.INT)).isEqualTo("7");
    for (String other :
        List.of(
            "shop:invoices:IN7", "shop:users:PM7", "partner:payments:PM7", "elsewhere:sales:PM7")) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> reader.write(other, Form.INT))
          .withMessage(
              "malformed identifier \"" + other + "\": expected one of collection \"payments\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tsid, 1712345678901, INT, 1406322793942098945",
    "tsid, 0712345678901, INT, 253401289335251969",
    "tsid, 01226N0640J7Q, INT, 38358284406638839",
    "tsid, 17123456789012, INT, 17123456789012",
    "xid, 00000000000000000000, HEX, 000000000000000000000000"
  })
  void aTextOfANamedKindNeedsNoLetter(String kind, String text, Form to, String written) {
    assertThat(IdReader.parse(kind).write(text, to)).isEqualTo(written);
  }

  @Test
  void aTypeIdOfAnotherPrefixIsMalformed() {
    String order = "order_01h455vb4pex5vsknk084sn02q";
    String uuid = "01890a5d-ac96-774b-bcce-b302099a8057";
    IdReader users = IdReader.of(IdType.of(CATALOG.collection("users").orElseThrow()));

    assertThat(users.write("USER_01h455vb4pex5vsknk084sn02q", Form.UUID)).isEqualTo(uuid);
    assertThat(users.write(uuid, Form.UUID)).isEqualTo(uuid);
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> users.write(order, Form.UUID))
        .withMessageEndingWith("expected prefix \"user\", found \"order\"");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> IdReader.of(IdType.typeIds("")).write(order, Form.UUID));
    assertThat(IdReader.of(IdType.uuidsV7()).write(order, Form.UUID)).isEqualTo(uuid);
  }

  @Test
  void numbersOfAColumnAreRead() {
    IdReader tsids = IdReader.of(IdType.tsids());

    assertThat(tsids.write("628226713240207361", Form.INT)).isEqualTo("628226713240207361");
    assertThat(tsids.write("18446744073709551615", Form.INT)).isEqualTo("18446744073709551615");
    assertThat(tsids.write("1712345678901", Form.INT)).isEqualTo("1406322793942098945");
    IdReader payments = IdReader.of(IdType.of(CATALOG.collection("payments").orElseThrow()));
    assertThat(payments.write("123", Form.INT)).isEqualTo("123");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> payments.write("9223372036854775808", Form.INT))
        .withMessageContaining("expected prefix \"PM\"");
  }

  @Test
  void timesOfTypesAreThoseOfTheirKind() {
    UUID v1 = UUID.fromString("C232AB00-9414-11EC-B3C8-9F6BDECED846");
    Instant time = Instant.parse("2022-02-22T19:22:22Z");

    assertThat(IdType.uuidsV7().time(v1)).hasValue(time);
    assertThat(IdType.uuidsV7().asText().time(v1)).hasValue(time);
    assertThat(IdType.uuidsV4().time(Uuids.mintV4())).isEmpty();
    assertThat(IdType.ulids().time(Ulid.of(v1))).hasValue(Ulid.of(v1).time());
    assertThat(
            IdType.snowflakes(SnowflakeLayout.DISCORD).time(Snowflake.parse("175928847299117063")))
        .hasValue(Instant.parse("2016-04-30T11:18:25.796Z"));
    assertThat(IdType.nanoIds().time(NanoId.mint())).isEmpty();
    assertThat(IdType.puris().time(Puri.of("a", "b", "c"))).isEmpty();
  }

  @Test
  void readingsAreCounted() {
    Transcoder times = Transcoder.to(Form.TIME);
    ReadingTally tally = new ReadingTally();
    for (String text :
        List.of(
            "017fe093-7adf-9932-aaaa-01fd0ba14d3f",
            "04dbe983-a9af-4776-9ca9-fd10e5a80636",
            "01FZG96YPZK4SANAG1ZM5T2K9Z",
            "1734971723")) {
      byte[] source = text.getBytes(StandardCharsets.US_ASCII);
      times.transcode(source, 0, source.length, new byte[times.lengthMax()], 0, tally);
      tally.commit();
    }
    tally.discard();

    assertThat(tally.counts())
        .containsExactly(
            Map.entry("ulid", 2L), Map.entry("unix-seconds", 1L), Map.entry("uuidv4", 1L));
  }

  private static @Nullable String transcoded(IdReader reader, String text) {
    return transcoded(Transcoder.of(reader, Form.TIME), text);
  }

  private static @Nullable String transcoded(Transcoder transcoder, String text) {
    byte[] source = text.getBytes(StandardCharsets.US_ASCII);
    byte[] target = new byte[transcoder.lengthMax()];
    int length = transcoder.transcode(source, 0, source.length, target, 0);
    return length == Transcoder.MALFORMED
        ? null
        : new String(target, 0, length, StandardCharsets.US_ASCII);
  }
}
