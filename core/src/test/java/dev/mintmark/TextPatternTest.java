package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextPatternTest {
  private static final List<String> CLASSES =
      List.of("a", "b", "-", "\\.", "\\[", "[ab]", "[a-c-]", "[\\]\\-]", "[b.]", "#");
  private static final List<String> COUNTS = List.of("", "", "?", "{2}", "{0,3}", "{1,4}");
  private static final String ALPHABET = "abc-.[]#";

  @ParameterizedTest
  @CsvSource({
    "'SO-[0-9a-z]{12}', SO-0123456789ab, true",
    "'SO-[0-9a-z]{12}', SO-0123456789a, false",
    "'SO-[0-9a-z]{12}', SO-0123456789aB, false",
    "'SO-[0-9a-z]{12}', xSO-0123456789ab, false",
    "'[A-Z]{2,3}[0-9]?', AB, true",
    "'[A-Z]{2,3}[0-9]?', ABC7, true",
    "'[A-Z]{2,3}[0-9]?', ABCD, false",
    "'a\\.b', a.b, true",
    "'a\\.b', axb, false",
    "'[a-z]', ä, false"
  })
  void wholeTextIsMatched(String pattern, String text, boolean matches) {
    assertThat(TextPattern.parse(pattern).matches(text)).isEqualTo(matches);
  }

  @Test
  void patternMeansWhatARegularExpressionMeans() {
    int matches = 0;
    for (long seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      String pattern = pattern(random);
      String text = text(random);

      boolean expected = Pattern.matches(pattern, text);

      assertThat(TextPattern.parse(pattern).matches(text))
          .as("seed %d: pattern %s, text %s", seed, pattern, text)
          .isEqualTo(expected);
      matches += expected ? 1 : 0;
    }
    assertThat(matches).isGreaterThan(500);
  }

  /**
   * {@link Pattern} tries every way to share the characters among the items: more than the age of
   * the universe allows.
   */
  @Test
  void catastrophicPatternIsMatchedInLinearTime() {
    TextPattern pattern = TextPattern.parse("[a-z]{0,7}".repeat(36) + "1");
    String text = "a".repeat(Inspector.LENGTH_MAX - 3);

    assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> assertThat(pattern.matches(text)).isFalse());
    assertThat(pattern.matches(text + "1")).isTrue();
  }

  @Test
  void startIsWhatEveryTextBeginsWith() {
    assertThat(TextPattern.parse("SO-[0-9]{6}").start()).isEqualTo("SO-");
    assertThat(TextPattern.parse("0{3}\\.x?").start()).isEqualTo("000.");
    assertThat(TextPattern.parse("[0-9]SO").start()).isEmpty();
    assertThat(TextPattern.parse("a?b").start()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "'', its texts have 0 to 0 characters: expected 1 to 255",
    "'a?', its texts have 0 to 1 characters: expected 1 to 255",
    "'[a-z]{256}', its texts have 256 to 256 characters: expected 1 to 255",
    "'(a|b)', 'character 0, \"(\": groups and alternatives are not supported: declare a format for each'",
    "'a*', 'character 1, \"*\": unlimited repetition is not supported: write a count, as in {1,12}'",
    "'a.', 'character 1, \".\": expected a class of characters, as in [0-9a-z], or \\. for a dot'",
    "'^a', 'character 0, \"^\": it is not needed: a pattern is that of the whole text'",
    "'a{2}?', 'character 4, \"?\": expected \\? for the character itself'",
    "'a{2,1}', 'character 1, \"{\": expected a count from 1 up, the lower number first'",
    "'a{,3}', 'character 1, \"{\": expected a count, as in {12} or {6,12}'",
    "'a{0}', 'character 1, \"{\": expected a count from 1 up, the lower number first'",
    "'[', 'character 0, \"[\": expected characters and a bracket after them, as in [0-9a-f]'",
    "'[]', 'character 0, \"[\": expected characters and a bracket after them, as in [0-9a-f]'",
    "'[z-a]', 'character 3, \"a\": expected a range from the lower character to the higher'",
    "'[^a]', 'character 1, \"^\": it is not supported in a class: list the characters, \\^ for itself'",
    "'\\d', 'character 1, \"d\": escapes with letters and digits are not supported: write a class, as in [0-9]'",
    "'a b', 'character 1, \" \": expected printable characters of ASCII without spaces'"
  })
  void malformedPatternIsRejectedWithItsCharacter(String pattern, String reason) {
    assertThatThrownBy(() -> TextPattern.parse(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("malformed pattern %s: %s", Quoted.of(pattern), reason);
  }

  @Test
  void patternOfTooManyItemsIsRejected() {
    assertThatThrownBy(() -> TextPattern.parse("ab".repeat(33)))
        .hasMessageEndingWith(": it has 66 items: expected at most 64");
  }

  private static String pattern(Random random) {
    StringBuilder pattern = new StringBuilder("a");
    int items = random.nextInt(6);
    for (int i = 0; i < items; i++) {
      pattern.append(CLASSES.get(random.nextInt(CLASSES.size())));
      pattern.append(COUNTS.get(random.nextInt(COUNTS.size())));
    }
    return pattern.toString();
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder("a");
    int length = random.nextInt(6);
    for (int i = 0; i < length; i++) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return text.toString();
  }
}
