package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Domain(Ids.class)
@Domain(DomainContext.Global.class)
class TypeIdTest {
  private static final String TEXT = "user_01h455vb4pex5vsknk084sn02q";
  private static final Instant TIME = Instant.parse("2023-06-30T03:34:18.518Z");

  @Test
  void exampleInTheDocumentationHolds() {
    TypeId id = TypeId.parse("user", TEXT);

    assertThat(id.uuid()).hasToString("01890a5d-ac96-774b-bcce-b302099a8057");
    assertThat(id.time()).contains(TIME);
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> TypeId.parse("order", TEXT))
        .withMessage(
            "malformed TypeID \"" + TEXT + "\": expected prefix \"order\", found \"user\"");
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#typeIds")
  void vectorIsReadAsItSays(JsonNode vector) {
    String input = vector.path("input").stringValue();

    if (vector.has("reason")) {
      assertThat(TypeId.tryParse(input)).isEmpty();
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> TypeId.parse(input))
          .withMessageStartingWith("malformed TypeID \"")
          .withMessageEndingWith(vector.path("reason").stringValue());
    } else {
      String prefix = vector.path("prefix").stringValue();
      TypeId id = TypeId.parse(prefix, input);
      assertThat(id.prefix()).isEqualTo(prefix);
      assertThat(id.uuid()).hasToString(vector.path("uuid").stringValue());
      assertThat(id).hasToString(input).isEqualTo(TypeId.of(prefix, id.uuid()));
    }
  }

  @Property
  void textReadsBack(
      @ForAll @CharRange(from = 'a', to = 'z') @Chars('_') @StringLength(max = 63) String prefix,
      @ForAll Ulid bits) {
    if (!prefix.startsWith("_") && !prefix.endsWith("_")) {
      TypeId id = TypeId.of(prefix, bits.toUuid());

      assertThat(TypeId.parse(id.toString())).isEqualTo(id).hasSameHashCodeAs(id);
    }
  }

  @Property
  void valuesAndTextsHaveOneOrder(
      @ForAll @CharRange(from = 'a', to = 'b') @Chars('_') @StringLength(max = 4) String prefixOfA,
      @ForAll @CharRange(from = 'a', to = 'b') @Chars('_') @StringLength(max = 4) String prefixOfB,
      @ForAll Ulid a,
      @ForAll Ulid b) {
    TypeId typed = TypeId.of(lettersAround(prefixOfA), a.toUuid());
    TypeId other = TypeId.of(lettersAround(prefixOfB), b.toUuid());
    TypeId untyped = TypeId.of("", b.toUuid());
    TypeId sameType = TypeId.of(typed.prefix(), b.toUuid());

    for (TypeId second : new TypeId[] {other, untyped, sameType}) {
      int order = Integer.signum(typed.compareTo(second));
      assertThat(Integer.signum(typed.toString().compareTo(second.toString()))).isEqualTo(order);
      assertThat(typed.equals(second)).isEqualTo(order == 0);
    }
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll @StringLength(max = 40) String text) {
    assertThat(TypeId.tryParse(text)).isEmpty();
    assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> TypeId.parse(text));
  }

  @Property
  void oneWrongCharacterIsFoundWhereItStands(@ForAll Ulid bits, @ForAll char wrong) {
    String text = TypeId.of("user", bits.toUuid()).toString();
    int index = 5 + (int) Long.remainderUnsigned(bits.leastSignificantBits(), 26);
    String changed = text.substring(0, index) + wrong + text.substring(index + 1);

    if ("0123456789abcdefghjkmnpqrstvwxyz_".indexOf(wrong) < 0) {
      assertThatThrownBy(() -> TypeId.parse(changed))
          .hasMessageContaining("character " + index + ",");
    }
  }

  @Test
  void typeIsExpectedOrRefusedWithAndWithoutAPrefix() {
    TypeId untyped = TypeId.of("", UUID.fromString("01890a5d-ac96-774b-bcce-b302099a8057"));

    assertThat(TypeId.parse("", untyped.toString())).isEqualTo(untyped);
    assertThatThrownBy(() -> TypeId.parse("user", untyped.toString()))
        .hasMessageEndingWith("expected prefix \"user\", found none");
    assertThatThrownBy(() -> TypeId.parse("", TEXT))
        .hasMessageEndingWith("expected no prefix, found \"user\"");
  }

  @Test
  void textOfMegabytesIsRefusedShortly() {
    for (String text :
        new String[] {
          "a".repeat(10_000_000), "a_".repeat(5_000_000), "user_" + "0".repeat(10_000_000)
        }) {
      assertThatThrownBy(() -> TypeId.parse(text))
          .isInstanceOf(MalformedIdException.class)
          .message()
          .hasSizeLessThan(250);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "User",
        "_user",
        "user_",
        "_",
        "us er",
        "user1",
        "\u00fcser",
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl"
      })
  void prefixIsRefused(String prefix) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TypeId.mint(prefix))
        .withMessage(
            "malformed prefix \"%s\": expected at most 63 of a-z and '_', the first and the last a"
                + " letter",
            prefix);
  }

  @Test
  void mintMakesAVersion7OfTheTimeAndTheEntropyItIsGiven() {
    TypeId id = TypeId.mint("user", InstantSource.fixed(TIME), new Random(7));

    assertThat(id.uuid()).isEqualTo(Uuids.mintV7(InstantSource.fixed(TIME), new Random(7)));
    assertThat(id.time()).contains(TIME);
    assertThat(TypeId.mint("user")).isNotEqualTo(TypeId.mint("user"));
    assertThat(Uuids.version(TypeId.mint("user").uuid())).isEqualTo(7);
  }

  @Test
  void versionWithoutATimeHasNone() {
    assertThat(TypeId.of("user", Uuids.mintV4()).time()).isEmpty();
  }

  @Property
  void whatIsMintedAtATimeIsBetweenItsFirstAndLast(@ForAll long seed) {
    TypeId id = TypeId.mint("user", InstantSource.fixed(TIME), new Random(seed));

    assertThat(id)
        .isBetween(TypeId.min("user", TIME), TypeId.max("user", TIME))
        .isLessThan(TypeId.min("user", TIME.plusMillis(1)))
        .isGreaterThan(TypeId.max("user", TIME.minusMillis(1)));
  }

  @Test
  void firstAndLastOfATimeAreOfVersion7() {
    assertThat(TypeId.min("user", TIME).uuid()).hasToString("01890a5d-ac96-7000-8000-000000000000");
    assertThat(TypeId.max("user", TIME).uuid()).hasToString("01890a5d-ac96-7fff-bfff-ffffffffffff");
  }

  @Test
  void rangeEndsBeforeItsSecondTime() {
    IdRange<TypeId> range = TypeId.range("user", TIME, TIME.plusMillis(2));

    assertThat(range.first()).isEqualTo(TypeId.min("user", TIME));
    assertThat(range.last()).isEqualTo(TypeId.max("user", TIME.plusMillis(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> TypeId.range("user", TIME, TIME));
  }

  @Test
  void timeThatDoesNotFitIsRefused() {
    Instant afterTheLast = Instant.ofEpochMilli(Ulid.TIME_MILLIS_MAX + 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TypeId.min("user", Instant.EPOCH.minusNanos(1)));
    assertThatIllegalArgumentException().isThrownBy(() -> TypeId.max("user", afterTheLast));
    assertThat(TypeId.range("", Instant.EPOCH, afterTheLast).last())
        .hasToString("7zzzzzzzzzfzzvzzzzzzzzzzzz");
  }

  private static String lettersAround(String middle) {
    return "a" + middle + "b";
  }
}
