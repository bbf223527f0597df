package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mintmark.Scheme;
import dev.mintmark.verify.Mintmark.Outcome;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** {@code mintmark compare}. */
class CompareIT {
  private static Mintmark mintmark;

  @BeforeAll
  static void prepare(@TempDir Path directory) {
    mintmark = Mintmark.in(directory);
  }

  @Test
  void everySchemeHasALineThatFitsATerminal() {
    Outcome outcome = mintmark.run("compare", "--all");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.outLines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100))
        .contains(
            "  ulid                  48     80  to 1 ms      16    26  10889          one chance in 77"
                + " million",
            "  uuidv4                 -    122  none         16    36  -              one chance in 11"
                + " billion",
            "  sequence integer       -      -  ascending     4    10  in 36 min      none")
        .anyMatch(line -> line.startsWith("* uuidv7  "));
    for (Scheme scheme : Scheme.values()) {
      assertThat(outcome.outLines()).anyMatch(line -> line.startsWith(scheme.label() + "  ", 2));
    }
    assertThat(outcome.out()).contains("1,000,000 ids a second for a year");
  }

  @Test
  void jsonHasTheSameWithoutRounding() {
    JsonNode comparison = mintmark.run("compare", "--json").json();

    JsonNode draft = row(comparison, "uuidv7 draft");
    assertThat(comparison.path("rate_per_second").doubleValue()).isEqualTo(1e6);
    assertThat(comparison.path("years").doubleValue()).isEqualTo(1);
    assertThat(comparison.path("schemes")).hasSize(Scheme.values().length);
    assertThat(draft.path("last_year").intValue()).isEqualTo(4147);
    assertThat(draft.path("last_time").stringValue()).isEqualTo("4147-08-20T07:32:15.999Z");
    assertThat(draft.path("tick_nanos").longValue()).isEqualTo(1_000_000);
    assertThat(draft.path("collision_odds").doubleValue()).isCloseTo(3.4e-3, within(5e-5));
    assertThat(row(comparison, "ulid").path("last_year").intValue()).isEqualTo(10889);
    assertThat(row(comparison, "sequence bigint").path("last_year").isNull()).isTrue();
  }

  @Test
  void oddsAreOfTheRateAndTheYearsThatAreGiven() {
    JsonNode seldom = mintmark.run("compare", "--json", "--rate", "1e3").json();
    JsonNode often = mintmark.run("compare", "--json", "--rate", "1e3", "--years", "10").json();

    double odds = row(seldom, "uuidv7").path("collision_odds").doubleValue();
    assertThat(odds).isCloseTo(8.4e-13, within(1e-14));
    assertThat(row(often, "uuidv7").path("collision_odds").doubleValue())
        .isCloseTo(10 * odds, within(odds / 1000));
    assertThat(row(often, "sequence integer").path("full_after_seconds").doubleValue())
        .isEqualTo(2_147_483.648);
  }

  @Test
  void ratesAndYearsOutOfRangeAreWrongUsage() {
    for (String rate : Arrays.asList("0", "-1", "1e16")) {
      Outcome outcome = mintmark.run("compare", "--rate=" + rate);

      assertThat(outcome.status()).isEqualTo(2);
      assertThat(outcome.errLines())
          .singleElement()
          .asString()
          .startsWith("mintmark: --rate is ")
          .endsWith(": expected 0.001 to 1.0e12");
    }
    assertThat(mintmark.run("compare", "--years", "many").status()).isEqualTo(2);
    assertThat(mintmark.run("compare", "--years", "0").errLines())
        .containsExactly("mintmark: --years is \"0\": expected 0.001 to 1,000,000");
  }

  private static JsonNode row(JsonNode comparison, String name) {
    return StreamSupport.stream(comparison.path("schemes").spliterator(), false)
        .filter(scheme -> scheme.path("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
