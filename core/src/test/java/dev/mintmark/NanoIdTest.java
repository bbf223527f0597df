package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class NanoIdTest {
  private static final String VISIBLE = visible();

  @Test
  void exampleInTheDocumentationHolds() {
    NanoId id = NanoId.mint();
    NanoId.Format vouchers = NanoId.Format.of("23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 8);

    assertThat(NanoId.parse(id.toString())).isEqualTo(id).hasSameHashCodeAs(id);
    assertThat(NanoId.parse("V1StGXR8_Z5jdHi6B-myT")).hasToString("V1StGXR8_Z5jdHi6B-myT");
    assertThat(NanoId.tryParse(id.toString())).contains(id);
    assertThat(NanoId.tryParse("V1StGXR8_Z5jdHi6B-my")).isEmpty();
    assertThat(vouchers.mint().toString()).matches("[2-9A-HJ-NP-Z]{8}");
    assertThat(vouchers.randomBits()).isEqualTo(40.0);
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.Vectors#nanoIds")
  void vectorIsReadAsItSays(JsonNode vector) {
    NanoId.Format format =
        vector.has("alphabet")
            ? NanoId.Format.of(
                vector.path("alphabet").stringValue(), vector.path("length").intValue())
            : NanoId.Format.DEFAULT;
    String input = vector.path("input").stringValue();

    if (vector.has("reason")) {
      assertThat(format.tryParse(input)).isEmpty();
      assertThatExceptionOfType(MalformedIdException.class)
          .isThrownBy(() -> format.parse(input))
          .withMessageStartingWith("malformed NanoID \"")
          .withMessageContaining(vector.path("reason").stringValue());
    } else {
      assertThat(format.parse(input)).hasToString(input);
    }
  }

  @Property
  void whatIsMintedIsOfItsFormat(
      @ForAll @IntRange(min = 2, max = 94) int size,
      @ForAll @IntRange(min = 1, max = 255) int length,
      @ForAll long seed) {
    NanoId.Format format = NanoId.Format.of(VISIBLE.substring(0, size), length);

    NanoId id = format.mint(new Random(seed));

    assertThat(format.parse(id.toString())).isEqualTo(id);
  }

  @Property
  void everyCharacterIsDrawnByEquallyManyBytes(@ForAll @IntRange(min = 2, max = 94) int size) {
    NanoId.Format format = NanoId.Format.of(VISIBLE.substring(0, size), 1);
    Map<NanoId, Integer> bytesOf = new HashMap<>();

    for (int b = 0; b < 256; b++) {
      FirstByte entropy = new FirstByte((byte) b);
      NanoId id = format.mint(entropy);
      boolean refused = entropy.draws > 1;
      if (!refused) {
        bytesOf.merge(id, 1, Integer::sum);
      }
    }

    assertThat(bytesOf).hasSize(size);
    assertThat(bytesOf.values()).containsOnly(128 / Integer.highestOneBit(size - 1));
  }

  @Test
  void charactersAreSpreadAsChanceWouldHaveIt() {
    int size = 10;
    int count = 10_000;
    NanoId.Format format = NanoId.Format.of("0123456789", 21);
    RandomGenerator entropy = new Random(20240501);
    int[] seen = new int[size];

    for (int i = 0; i < count; i++) {
      format.mint(entropy).toString().chars().forEach(c -> seen[c - '0']++);
    }

    double expected = 21.0 * count / size;
    double chiSquare = 0;
    for (int n : seen) {
      chiSquare += (n - expected) * (n - expected) / expected;
    }
    // Nine degrees of freedom: one seed in a thousand gives more.
    assertThat(chiSquare).isLessThan(27.88);
  }

  @Test
  void entropyIsDrawnAgainWhereTooMuchOfItIsRefused() {
    NanoId.Format digits = NanoId.Format.of("0123456789", 21);
    RandomGenerator random = new Random(7);
    RandomGenerator mostlyRefused =
        new RandomGenerator() {
          @Override
          public long nextLong() {
            return random.nextLong();
          }

          @Override
          public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 15);
            bytes[0] = (byte) random.nextInt(10);
          }
        };

    assertThat(digits.mint(mostlyRefused).toString()).matches("[0-9]{21}");
  }

  @Test
  void oddsAreThoseOfTheBirthdayProblem() {
    NanoId.Format days = NanoId.Format.of("0123456789", 3);

    assertThat(days.collisionOdds(0)).isZero();
    assertThat(days.collisionOdds(1)).isZero();
    assertThat(days.collisionOdds(38)).isCloseTo(0.505, within(0.001));
    assertThat(days.collisionOdds(1_001)).isEqualTo(1.0);
    assertThat(NanoId.Format.DEFAULT.randomBits()).isEqualTo(126.0);
    assertThat(NanoId.Format.DEFAULT.collisionOdds(1_000_000_000))
        .isCloseTo(5.877e-21, within(1e-23));
    assertThat(NanoId.Format.of("0123456789", 38).collisionOdds(11_774_100_225_154_747L))
        .isCloseTo(6.93e-7, within(1e-8));
  }

  @Test
  void evenOddsOfTheDefaultNeedAsManyAsTheDocumentationSays() {
    // The count is beyond a long; sqrt(2 ln 2 * 2^126) is what it takes.
    assertThat(Math.sqrt(2 * Math.log(2) * Math.pow(2, 126))).isCloseTo(1.1e19, within(0.05e19));
  }

  @Test
  void negativeCountHasNoOdds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NanoId.Format.DEFAULT.collisionOdds(-1))
        .withMessage("count -1: expected 0 or more");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'alphabet \"\": it has 0 characters: expected 2 to 94'",
    "a, 'alphabet \"a\": it has 1 character: expected 2 to 94'",
    "abca, 'alphabet \"abca\": character 3, ''a'', is repeated'",
    "a b, 'alphabet \"a b\": character 1, '' '', is not a letter, digit or sign of ASCII'",
    "a\u00e9, 'alphabet \"a\u00e9\": character 1, ''\u00e9'', is not a letter, digit or sign of ASCII'",
    "a\ud83d\ude00, 'alphabet \"a\ud83d\ude00\": character 1, ''\ud83d\ude00'', is not a letter, digit or sign of ASCII'"
  })
  void alphabetIsRefused(String alphabet, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NanoId.Format.of(alphabet, 21))
        .withMessage(message);
  }

  @Test
  void alphabetOfMoreThanThereIsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NanoId.Format.of("a".repeat(10_000_000), 21))
        .withMessageEndingWith("it has 10000000 characters: expected 2 to 94");
  }

  @Test
  void lengthOutOfRangeIsRefused() {
    for (int length : new int[] {-1, 0, 256, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NanoId.Format.of("ab", length))
          .withMessage("length %d: expected 1 to 255", length);
    }
  }

  @Test
  void textOfMegabytesIsRefusedByItsLength() {
    String text = "A".repeat(10_000_000);

    assertThatThrownBy(() -> NanoId.parse(text))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageEndingWith("it has 10000000 characters: expected 21")
        .message()
        .hasSizeLessThan(200);
  }

  @Test
  void formatsAreEqualThatMakeTheSame() {
    NanoId.Format format = NanoId.Format.of("abc", 4);

    assertThat(format).isEqualTo(NanoId.Format.of("abc", 4)).hasToString("4 of \"abc\"");
    assertThat(format).hasSameHashCodeAs(NanoId.Format.of("abc", 4));
    assertThat(format).isNotEqualTo(NanoId.Format.of("abc", 5));
    assertThat(format).isNotEqualTo(NanoId.Format.of("acb", 4));
    assertThat(format.alphabet()).isEqualTo("abc");
    assertThat(format.length()).isEqualTo(4);
  }

  private static String visible() {
    StringBuilder visible = new StringBuilder();
    for (char c = '!'; c <= '~'; c++) {
      visible.append(c);
    }
    return visible.toString();
  }

  /** Gives one byte at the first draw, and zeros if it was refused. */
  private static final class FirstByte implements RandomGenerator {
    private final byte first;
    private int draws;

    FirstByte(byte first) {
      this.first = first;
    }

    @Override
    public long nextLong() {
      throw new UnsupportedOperationException("bytes are drawn");
    }

    @Override
    public void nextBytes(byte[] bytes) {
      Arrays.fill(bytes, draws == 0 ? first : 0);
      draws++;
    }
  }
}
