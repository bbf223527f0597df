package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class SequenceIdTest {
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);

  @Test
  void exampleInTheDocumentationHolds() {
    assertThat(PAYMENTS.of(123)).hasToString("PM000123");
    assertThat(PAYMENTS.of(1_234_567)).hasToString("PM1234567");
    assertThat(PAYMENTS.parse("PM000123").number()).isEqualTo(123);
    assertThat(PAYMENTS.of(1_234_567).toString()).isLessThan(PAYMENTS.of(999_999).toString());
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#sequences")
  void vectorIsReadStrictlyAsItSays(JsonNode vector) {
    SequenceId.Format format = format(vector);
    String input = vector.path("input").stringValue();

    if (vector.has("number")) {
      SequenceId id = format.parse(input);
      assertThat(id.number()).isEqualTo(Long.parseLong(vector.path("number").stringValue()));
      assertThat(id.prefix()).isEqualTo(vector.path("prefix").stringValue());
      assertThat(id).hasToString(input);
    } else {
      assertThat(format.tryParse(input)).isEmpty();
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> format.parse(input))
          .withMessageStartingWith("malformed sequence id \"")
          .withMessageContaining(vector.path("reason").stringValue());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#sequences")
  void vectorIsReadLooselyAsItSays(JsonNode vector) {
    SequenceId.Format format = format(vector);
    String input = vector.path("input").stringValue();

    if (vector.has("loose")) {
      assertThat(format.parseLoosely(input).number())
          .isEqualTo(Long.parseLong(vector.path("loose").stringValue()));
    } else {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> format.parseLoosely(input))
          .withMessageContaining(vector.path("reason").stringValue());
    }
  }

  @Property
  void textIsThatOfTheSqlFunctionAndReadsBack(
      @ForAll @LongRange(min = 0) long number, @ForAll @IntRange(max = 18) int width) {
    SequenceId.Format format = new SequenceId.Format("PM", width);
    String digits = Long.toString(number);
    // 'PM' || lpad(n::text, greatest(width, length(n::text)), '0')
    String text = "PM" + "0".repeat(Math.max(0, width - digits.length())) + digits;

    SequenceId id = format.of(number);

    assertThat(id).hasToString(text);
    assertThat(format.parse(text)).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(format.parseLoosely("\t" + text + "\u2003")).isEqualTo(id);
  }

  @Property
  void numberHasOneTextOnly(
      @ForAll @StringLength(max = 12) @CharRange(from = '0', to = '9') String digits,
      @ForAll @IntRange(max = 18) int width) {
    String text = "PM" + digits;

    new SequenceId.Format("PM", width)
        .tryParse(text)
        .ifPresent(id -> assertThat(id).hasToString(text));
  }

  @Property
  void anyTextIsReadOrRefused(@ForAll @StringLength(max = 40) String text) {
    assertThat(PAYMENTS.tryParse(text)).isEmpty();
    assertThatExceptionOfType(MalformedIdException.class)
        .isThrownBy(() -> PAYMENTS.parseLoosely(text));
  }

  @Test
  void textOfMegabytesIsRefusedShortly() {
    for (String text :
        new String[] {
          "0".repeat(10_000_000), "PM" + "9".repeat(10_000_000), "PM" + "0".repeat(10_000_000)
        }) {
      assertThatThrownBy(() -> PAYMENTS.parse(text))
          .isInstanceOf(MalformedIdException.class)
          .message()
          .hasSizeLessThan(200);
      assertThatThrownBy(() -> PAYMENTS.parseLoosely(text))
          .isInstanceOf(MalformedIdException.class)
          .hasMessageEndingWith(text.length() + " characters: expected at most 80");
    }
  }

  @Test
  void paddedReadingTakesAnyZerosAndNoWhiteSpace() {
    assertThat(PAYMENTS.parsePadded("pm" + "0".repeat(1_000) + "123")).hasToString("PM000123");
    assertThat(PAYMENTS.parsePadded("PM123").number()).isEqualTo(123);
    for (String text : new String[] {" PM123", "PM123\t", "PM 123", "", "PM", "MD123"}) {
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> PAYMENTS.parsePadded(text));
    }
  }

  @Test
  void widthIsNoPartOfTheIdentity() {
    SequenceId narrow = new SequenceId.Format("PM", 4).of(123);

    assertThat(narrow).isEqualTo(PAYMENTS.of(123)).hasSameHashCodeAs(PAYMENTS.of(123));
    assertThat(narrow).isEqualByComparingTo(PAYMENTS.of(123));
    assertThat(narrow).hasToString("PM0123").isNotEqualTo(PAYMENTS.of(124));
    assertThat(narrow).isNotEqualTo(new SequenceId.Format("MD", 4).of(123));
  }

  @Test
  void orderIsOfThePrefixThenOfTheNumber() {
    SequenceId.Format mandates = new SequenceId.Format("MD", 6);

    assertThat(PAYMENTS.of(999_999)).isLessThan(PAYMENTS.of(1_234_567));
    assertThat(mandates.of(7)).isLessThan(PAYMENTS.of(3));
  }

  @Test
  void negativeNumberIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PAYMENTS.of(-1))
        .withMessage("number -1: expected 0 to 9223372036854775807");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "P", "PM", "pm_", "Invoice-EU27_BE-", "a1b"})
  void prefixMayBe(String prefix) {
    assertThat(new SequenceId.Format(prefix, 0).of(7)).hasToString(prefix + "7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"PM1", "1PM", "_PM", "P M", "P\u00dc", "PM\n", "PM\u0661", "ABCDEFGHIJKLMNOPQ"})
  void prefixMayNotBe(String prefix) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SequenceId.Format(prefix, 6))
        .withMessageStartingWith(
            "malformed prefix " + Quoted.of(prefix) + ": expected at most 16 of");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 19, Integer.MAX_VALUE})
  void widthOutOfRangeIsRefused(int width) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SequenceId.Format("PM", width))
        .withMessage("width %d: expected 0 to 18 digits", width);
  }

  private static SequenceId.Format format(JsonNode vector) {
    return new SequenceId.Format(
        vector.path("prefix").stringValue(), vector.path("width").intValue());
  }
}
