package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class QuotedTest {
  @Test
  void plainTextStandsInQuotes() {
    assertThat(Quoted.of("01ARZ3")).isEqualTo("\"01ARZ3\"");
    assertThat(Quoted.of("")).isEqualTo("\"\"");
    assertThat(Quoted.of("Grüße 世界 𝟘")).isEqualTo("\"Grüße 世界 𝟘\"");
  }

  @Test
  void quotesAndBackslashesAreEscaped() {
    assertThat(Quoted.of("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
  }

  @Test
  void whatATerminalWouldActOnIsMasked() {
    assertThat(Quoted.of("a\n\u001b[31m")).isEqualTo("\"a\\u000a\\u001b[31m\"");
    assertThat(Quoted.of("\u2028\u2029\u202e")).isEqualTo("\"\\u2028\\u2029\\u202e\"");
    assertThat(Quoted.of("\ud800x")).isEqualTo("\"\\ud800x\"");
  }

  @Test
  void invisibleCharactersOfOtherPlanesAreMasked() {
    String tagA = Character.toString(0xE0041);

    assertThat(Quoted.of(tagA)).isEqualTo("\"\\udb40\\udc41\"");
  }

  @Test
  void longTextIsCutAndItsLengthGiven() {
    assertThat(Quoted.of("x".repeat(64))).isEqualTo("\"" + "x".repeat(64) + "\"");
    assertThat(Quoted.of("x".repeat(65)))
        .isEqualTo("\"" + "x".repeat(64) + "\"... (65 characters)");
  }

  @Test
  void cutThroughASurrogatePairLeavesNoHalf() {
    assertThat(Quoted.of("x".repeat(63) + "𝟘")).contains("\\ud835\"... (65 characters)");
  }

  @Property
  void messageHasNoControlCharactersAndIsShort(@ForAll String text) {
    String quoted = Quoted.of(text);

    assertThat(quoted.codePoints()).noneMatch(Character::isISOControl);
    assertThat(quoted.codePoints().map(Character::getType))
        .doesNotContain((int) Character.SURROGATE, (int) Character.FORMAT);
    assertThat(quoted.length()).isLessThan(6 * Quoted.LENGTH_MAX + 40);
  }
}
