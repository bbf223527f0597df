package dev.mintmark.app.service.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Scheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiguresTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1      | almost certain",
        "0.995  | almost certain",
        "0.994  | 99 chances in 100",
        "0.1    | 10 chances in 100",
        "0.0999 | one chance in 10",
        "3.4e-3 | one chance in 290",
        "1e-3   | one chance in 1,000",
        "1.7e-6 | one chance in 590,000",
        "1e-6   | one chance in 1 million",
        "1.0e-6 | one chance in 1 million",
        "1.3e-8 | one chance in 77 million",
        "1e-9   | one chance in 1 billion",
        "1.004e-9 | one chance in 1 billion",
        "8.3e-13 | one chance in 1.2 trillion",
        "1.1e-15 | one chance in 910 trillion",
        "9e-16  | under one in 1,000 trillion",
        "0      | under one in 1,000 trillion",
      })
  void oddsAreSaidInWords(double odds, String words) {
    assertThat(Figures.odds(odds)).isEqualTo(words);
  }

  @Test
  void theOddsOfAUlidAreThoseOfTheDocumentation() {
    assertThat(Load.DEFAULT.collision(Scheme.ULID)).isEqualTo("one chance in 77 million");
    assertThat(Load.DEFAULT.collision(Scheme.SEQUENCE_BIGINT)).isEqualTo("none");
    assertThat(new Load(1_000, 10).collision(Scheme.UUIDV7)).isEqualTo("one chance in 120 billion");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1000000", "1_000_000", "1,000,000", "1e6", "1E+6", "1M", "1000k", " 1M "})
  void aRateMayBeWrittenInSeveralWays(String text) {
    assertThat(Load.parse("", text, "1")).isEqualTo(Load.DEFAULT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "many", "1,5", "1_00", "NaN", "0x10", "1m", "1e9999", "1 M", "1M1"})
  void otherTextsAreNoRate(String text) {
    assertThatThrownBy(() -> Load.parse("--", text, "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--rate is \"%s\": expected a number such as 1000, 1_000_000, 1e6 or 1M", text);
  }

  @Test
  void aRateAndYearsHaveLimits() {
    assertThatThrownBy(() -> Load.parse("", "-1", "1"))
        .hasMessage("rate is \"-1\": expected 0.001 to 1.0e12");
    assertThatThrownBy(() -> Load.parse("", "1001G", "1"))
        .hasMessage("rate is \"1001G\": expected 0.001 to 1.0e12");
    assertThatThrownBy(() -> Load.parse("", "1", "1,000,001"))
        .hasMessage("years is \"1,000,001\": expected 0.001 to 1,000,000");
  }
}
