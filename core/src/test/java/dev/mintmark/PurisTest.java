package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PurisTest {
  private static final Puris PURIS = Puris.of(Vectors.catalog());

  /** A namespace that is known and one that is not, a collection and what its column holds. */
  record Row(String namespace, String collection, ColumnValue stored) {
    Puri puri() {
      return PURIS.fromStored(namespace, collection, stored);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#declaredPuris")
  void vectorIsWhatItSays(JsonNode vector) {
    String input = vector.path("input").stringValue();

    Puri puri = PURIS.parse(input);

    assertThat(puri).hasToString(vector.path("resolved").stringValue());
    assertThat(puri.canonical()).hasToString(vector.path("canonical").stringValue());
    assertThat(puri.namespace()).isEqualTo(vector.path("namespace").stringValue());
    assertThat(puri.collection()).isEqualTo(vector.path("collection").stringValue());
    assertThat(puri.identifier()).isEqualTo(vector.path("identifier").stringValue());
    assertThat(PURIS.collection(puri).isPresent()).isEqualTo(vector.path("known").booleanValue());
    assertThat(PURIS.toCompact(Puri.parse(input))).isEqualTo(vector.path("compact").stringValue());
    assertThat(stored(puri)).isEqualTo(stored(Puri.parse(input)));
    assertThat(stored(puri).map(stored -> stored.storage().label()))
        .isEqualTo(vector.path("stored").path("type").stringValueOpt());
    assertThat(stored(puri).map(Object::toString))
        .isEqualTo(vector.path("stored").path("value").stringValueOpt());
    for (JsonNode text : vector.path("not_stored")) {
      ColumnValue held = new ColumnValue.Text(text.stringValue());
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> PURIS.fromStored(puri.namespace(), puri.collection(), held))
          .withMessageContaining("the column holds " + Quoted.of(text.stringValue()) + ": its");
    }
    for (JsonNode equal : vector.path("equal")) {
      assertThat(PURIS.parse(equal.stringValue())).isEqualTo(puri).hasSameHashCodeAs(puri);
    }
    for (JsonNode unequal : vector.path("unequal")) {
      assertThat(PURIS.parse(unequal.stringValue())).isNotEqualTo(puri);
    }
  }

  @Property
  void whatAColumnHoldsComesBackFromItsPuri(@ForAll("rows") Row row) {
    assertThat(PURIS.toStored(row.puri())).isEqualTo(row.stored);
    assertThat(PURIS.resolve(row.puri())).isEqualTo(row.puri());
  }

  @Property
  void rowsThatDifferNeverHaveEqualPuris(@ForAll("rows") Row a, @ForAll("rows") Row b) {
    assertThat(a.puri().equals(b.puri())).isEqualTo(a.equals(b));
  }

  @Property
  void ofOneCollectionThoseAreEqualThatAreStoredAlike(
      @ForAll("puris") Puri a, @ForAll("puris") Puri b) {
    Puri first = PURIS.resolve(a);
    Puri second = PURIS.resolve(b);
    Optional<ColumnValue> stored = stored(first);
    boolean sameCollection = first.names().equals(second.names());
    if (sameCollection && PURIS.collection(first).isPresent() && stored.isPresent()) {
      assertThat(first.equals(second)).isEqualTo(stored.equals(stored(second)));
    }
  }

  @Property
  void compactReadsBack(@ForAll("rows") Row row) {
    String compact = PURIS.toCompact(row.puri());

    assertThat(PURIS.parse(compact)).isEqualTo(row.puri());
    assertThat(compact.length()).isLessThanOrEqualTo(row.puri().toString().length());
  }

  @Property
  void anyPuriOfAnyNameIsResolvedOnceAndComesBack(@ForAll("puris") Puri puri) {
    Puri resolved = PURIS.resolve(puri);

    assertThat(PURIS.resolve(resolved)).isEqualTo(resolved).hasToString(resolved.toString());
    assertThat(PURIS.parse(PURIS.toCompact(puri))).hasToString(resolved.toString());
    assertThat(PURIS.parse(puri.toString())).hasToString(resolved.toString());
    stored(puri)
        .ifPresent(
            stored ->
                assertThat(PURIS.fromStored(puri.namespace(), puri.collection(), stored))
                    .isEqualTo(resolved));
    if (PURIS.collection(puri).isEmpty()) {
      assertThat(resolved).isSameAs(puri);
    }
  }

  @Property
  void purisThatAreEqualWithoutTheCatalogAreEqualWithIt(
      @ForAll("puris") Puri a, @ForAll("puris") Puri b) {
    if (a.equals(b)) {
      assertThat(PURIS.resolve(a)).isEqualTo(PURIS.resolve(b));
    }
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll("texts") String text) {
    PURIS
        .tryParse(text)
        .ifPresent(puri -> assertThat(PURIS.parse(puri.toString())).isEqualTo(puri));
  }

  @Provide
  Arbitrary<Row> rows() {
    Arbitrary<UUID> uuids =
        Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(UUID::new);
    Arbitrary<Long> numbers =
        Arbitraries.longs()
            .between(0, Long.MAX_VALUE)
            .edgeCases(edges -> edges.add(0L, 999_999L, 1_000_000L, Long.MAX_VALUE));
    Arbitrary<String> texts =
        Arbitraries.strings()
            .withChars("ab0-.~:%/ \u00e9\u00c9\u212a")
            .ofMinLength(1)
            .ofMaxLength(9);
    Arbitrary<String> cased = Arbitraries.strings().withChars("abAB-_").ofLength(3);
    return Arbitraries.oneOf(
        rows(List.of("meats", "tracks", "users"), uuids.map(ColumnValue.Uuid::new)),
        rows(List.of("payments", "mandates"), numbers.map(ColumnValue.Bigint::new)),
        rows(List.of("photos"), Arbitraries.longs().map(ColumnValue.Bigint::new)),
        rows(List.of("cuts"), texts.map(ColumnValue.Text::new)),
        rows(List.of("vouchers", "suppliers"), cased.map(ColumnValue.Text::new)),
        rows(
            List.of("archived-tracks"),
            uuids.map(uuid -> new ColumnValue.Text(Ulid.of(uuid).toString()))),
        rows(
            List.of("desserts"),
            texts.map(
                id -> new ColumnValue.Text(Puri.of("bobsburgers", "desserts", id).toString()))),
        numbers.map(number -> new Row("soundcloud", "tracks", new ColumnValue.Bigint(number))));
  }

  private static Arbitrary<Row> rows(
      List<String> collections, Arbitrary<? extends ColumnValue> stored) {
    return Combinators.combine(Arbitraries.of(collections), stored)
        .as((collection, value) -> new Row("bobsburgers", collection, value));
  }

  /** Of names that are declared, aliases, codes and others, in either case, with any identifier. */
  @Provide
  Arbitrary<Puri> puris() {
    Arbitrary<String> namespaces =
        Arbitraries.of("bobsburgers", "BobsBurgers", "soundcloud", "spotify", "b", "Acme", "a.b");
    Arbitrary<String> collections =
        Arbitraries.of(
            "meats",
            "MEATS",
            "payments",
            "direct-debits",
            "Mandates",
            "cuts",
            "Pieces",
            "vouchers",
            "users",
            "tracks",
            "track",
            "photos",
            "m",
            "Desserts",
            "archived-tracks",
            "b.m");
    return Combinators.combine(namespaces, collections, identifiers()).as(Puri::of);
  }

  private static Arbitrary<String> identifiers() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            "PM000123",
            "pm123",
            "MD7",
            "123",
            "000123",
            "PM9223372036854775808",
            "01FZG96YPZK4SANAG1ZM5T2K9Z",
            "01fzg96ypzk4sanag1zm5t2k9z",
            "017FE093-7ADF-9932-AAAA-01FD0BA14D3F",
            "017fe0937adf9932aaaa01fd0ba14d3f",
            "user_01fzg96ypzk4sanag1zm5t2k9z",
            "81FZG96YPZK4SANAG1ZM5T2K9Z",
            "b.m.1",
            "Chicken",
            "chicken",
            "a\0b"),
        Arbitraries.strings().withChars("aA:.%\u00e9\0").ofMinLength(1).ofMaxLength(5));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings(),
        Arbitraries.strings().withChars("bmpt.:%AQ123-").ofMaxLength(12),
        Arbitraries.strings()
            .withChars("AZaz09-_")
            .ofMinLength(21)
            .ofMaxLength(23)
            .map(packed -> "b.m." + packed));
  }

  @ParameterizedTest
  @CsvSource({
    "b.x.AX_gk3rfmTKqqgH9C6FNPw, the catalog has no collection of the codes \"b.x\"",
    "x.m.AX_gk3rfmTKqqgH9C6FNPw, the catalog has no collection of the codes \"x.m\"",
    "www.example.com, the catalog has no collection of the codes \"www.example\"",
    "b.m.AX_gk3rfmTKqqgH9C6FNP, it has 21 characters: expected 22",
    "b.m.AX_gk3rfmTKqqgH9C6FNPx, it exceeds 128 bits",
    "b.p.PM000123, 'expected no prefix, found \"PM\"'",
    "b.p.123x, is not a digit",
    "b.p., the segment at character 4 is empty",
    "b.c., the segment at character 4 is empty",
    "b.c.a/b, 'character 5, ''/'', must be percent-encoded'",
    "b.c.a%00b, cannot be stored in a text column",
    "b.m, it has 1 segments: expected namespace:collection:identifier"
  })
  void malformedCompactPuriIsRefusedWithItsReason(String text, String reason) {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PURIS.parse(text))
        .withMessageContaining(reason);
    assertThat(PURIS.tryParse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"b.x.123", "B.X.chicken%2dprime", "new.m.a.b", "b.meats.1", "c1.d2.x"})
  void codesThatTheCatalogDoesNotHaveAreUnknown(String text) {
    assertThat(PURIS.hasUnknownCodes(text)).isTrue();
    assertThat(PURIS.tryParse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b.m.AX_gk3rfmTKqqgH9C6FNPw",
        "B.M.malformed",
        "b.x.",
        "b.x.%",
        "b.x.a b",
        "b.x",
        "b..1",
        ".x.1",
        "1.2.3",
        "bobsburgers.x.1",
        "b:x:1.2.3",
        ""
      })
  void otherTextsHaveNoUnknownCodes(String text) {
    assertThat(PURIS.hasUnknownCodes(text)).isFalse();
  }

  @Test
  void hugeInputIsRefusedWithoutACopy() {
    for (String huge : List.of("b.c." + "c".repeat(10_000_000), ":".repeat(10_000_000))) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> PURIS.parse(huge))
          .withMessage(
              "malformed pURI %s: it has %d characters: expected at most 1024",
              Quoted.of(huge), huge.length())
          .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(200));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bobsburgers:meats:chicken, 'it has 7 characters: expected 26 of a ULID, or 36 or 32 of a UUID'",
    "bobsburgers:users:order_01fzg96ypzk4sanag1zm5t2k9z, 'expected prefix \"user\", found \"order\"'",
    "bobsburgers:payments:MD000123, 'expected prefix \"PM\", found \"MD\"'",
    "bobsburgers:payments:PM, it has no digits",
    "bobsburgers:payments:PM12x, 'character 4, ''x'', is not a digit'",
    "bobsburgers:payments:PM%EF%BC%91, malformed sequence id",
    "bobsburgers:payments:PM9223372036854775808, its number exceeds 9223372036854775807",
    "bobsburgers:cuts:a%00b, 'character 1, ''\\u0000'', cannot be stored in a text column'"
  })
  void whatItsColumnCannotHoldIsRefusedWithItsReason(String text, String reason) {
    Puri puri = PURIS.parse(text);

    assertThat(puri).hasToString(text);
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PURIS.toStored(puri))
        .withMessageContaining(reason);
  }

  @Test
  void whatTheColumnOfACollectionDoesNotHoldIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PURIS.fromStored("meats", new ColumnValue.Bigint(5)))
        .withMessage("collection \"bobsburgers:meats\" is stored as uuid: found \"5\" of bigint");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PURIS.fromStored("desserts", new ColumnValue.Bigint(5)))
        .withMessage(
            "the catalog has no collection \"bobsburgers:desserts\": expected the whole pURI as"
                + " text, found \"5\" of bigint");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PURIS.fromStored("desserts", new ColumnValue.Text("acme:desserts:5")))
        .withMessageEndingWith("expected one of \"bobsburgers:desserts\"");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PURIS.fromStored("payments", new ColumnValue.Bigint(-1)))
        .withMessage("malformed sequence id: its number is -1: expected 0 to 9223372036854775807");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PURIS.fromStored("archived-tracks", new ColumnValue.Text("x")))
        .withMessageContaining("expected 26 of a ULID");
  }

  @Test
  void whatIsNotCanonicalInItsColumnIsRefusedForItsRowWouldNotBeFoundAgain() {
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PURIS.fromStored("cuts", new ColumnValue.Text("ABC")))
        .withMessage(
            "collection \"bobsburgers:cuts\": the column holds \"ABC\": its canonical text is"
                + " \"abc\": declare case: sensitive, or rewrite its rows");
  }

  @Test
  void whatIsNotDeclaredIsReadFromItsColumnHoweverItIsEscaped() {
    assertThat(PURIS.fromStored("desserts", new ColumnValue.Text("bobsburgers:desserts:%41")))
        .isEqualTo(Puri.of("bobsburgers", "desserts", "A"));
  }

  @Test
  void widthIsAPartOfWhatASequenceKeptAsTextHolds() {
    ColumnValue old = inTextOfWidth(4).toStored(Puri.of("a", "bills", "B123"));

    assertThat(old).isEqualTo(new ColumnValue.Text("B0123"));
    assertThat(inTextOfWidth(4).fromStored("bills", old)).hasToString("a:bills:B0123");
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> inTextOfWidth(6).fromStored("bills", old))
        .withMessage(
            "collection \"a:bills\": the column holds \"B0123\": its canonical text is"
                + " \"B000123\": declare the width that its rows have, or rewrite them");
  }

  private static Puris inTextOfWidth(int width) {
    CollectionSpec bills =
        CollectionSpec.builder("bills", Kind.SEQUENCE)
            .prefix("B")
            .width(width)
            .storage(Kind.Storage.TEXT)
            .build();
    return Puris.of(new Catalog("a", List.of(bills), List.of()));
  }

  @Test
  void textThatIsNotUnicodeIsNoneOfAColumn() {
    for (String text : List.of("\ud800", "a\udc00b", "\udc00\ud800")) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> new ColumnValue.Text(text))
          .withMessageStartingWith("malformed identifier " + Quoted.of(text) + ": character ")
          .withMessageEndingWith("', cannot be stored in a text column");
    }
    assertThat(new ColumnValue.Text("\ud83d\ude00")).hasToString("\ud83d\ude00");
  }

  @Test
  void nameThatIsTooLongAfterAllIsRefused() {
    CollectionSpec renamed =
        CollectionSpec.builder("n".repeat(63), Kind.TEXT).aliases(List.of("n")).build();
    Puris puris = Puris.of(new Catalog("a", List.of(renamed), List.of()));
    String identifier = "c".repeat(Puri.LENGTH_MAX - "a:n:".length());

    assertThat(puris.tryParse("a:n:" + identifier.substring(62))).isPresent();
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> puris.parse("a:n:" + identifier.substring(61)))
        .withMessageEndingWith("it has 1025 characters: expected at most 1024");
  }

  @Test
  void codesThatAreLongerThanTheNamesAreNotUsed() {
    CollectionSpec short1 = CollectionSpec.builder("m", Kind.TEXT).code("meats").build();
    NamespaceSpec own = new NamespaceSpec("b", Optional.of("bobs"), List.of(short1));
    Puris puris = Puris.of(new Catalog(own, List.of(), List.of()));

    assertThat(puris.toCompact(Puri.of("b", "m", "x"))).isEqualTo("b:m:x");
    assertThat(puris.parse("bobs.meats.x")).hasToString("b:m:x");
  }

  @Test
  void compactIsHalfAsLong() {
    Puri puri = Puri.of("bobsburgers", "meats", "017fe093-7adf-9932-aaaa-01fd0ba14d3f");

    assertThat(puri.toString()).hasSize(54);
    assertThat(PURIS.toCompact(puri)).hasSize(26);
  }

  @Test
  void snippetOfTheDocumentationHolds() {
    CollectionSpec mandates =
        CollectionSpec.builder("mandates", Kind.SEQUENCE)
            .prefix("MD")
            .width(6)
            .aliases(List.of("direct-debits"))
            .build();
    Puris puris = Puris.of(new Catalog("bobsburgers", List.of(mandates), List.of()));
    Puri puri = puris.parse("bobsburgers:direct-debits:md123");

    assertThat(puri).hasToString("bobsburgers:mandates:MD000123");
    assertThat(puris.toStored(puri)).isEqualTo(new ColumnValue.Bigint(123));
    assertThat(puris.fromStored("mandates", new ColumnValue.Bigint(123))).isEqualTo(puri);
  }

  private static Optional<ColumnValue> stored(Puri puri) {
    try {
      return Optional.of(PURIS.toStored(puri));
    } catch (MalformedIdException e) {
      return Optional.empty();
    }
  }
}
