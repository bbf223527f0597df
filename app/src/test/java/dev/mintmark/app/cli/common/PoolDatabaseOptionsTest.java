package dev.mintmark.app.cli.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.PoolAddresses;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The names and addresses of databases of pools. */
class PoolDatabaseOptionsTest {
  private static PoolAddresses addresses(
      List<String> declared, Map<String, String> environment, String... given) {
    PoolDatabaseOptions options = new PoolDatabaseOptions();
    options.given = List.of(given);
    return options.addresses(declared, environment);
  }

  @Test
  void withoutOthersTheOnlyDatabaseHasANameIfTheCatalogHasOne() {
    assertThat(addresses(List.of(), Map.of("MINTMARK_DB_EU", "")).first()).isEmpty();
    assertThat(addresses(List.of(), Map.of()).areSeveral()).isFalse();

    PoolAddresses declared = addresses(List.of("global"), Map.of());
    assertThat(declared.first()).contains("global");
    assertThat(declared.areSeveral()).isFalse();
  }

  @Test
  void othersComeFromOptionsAndVariables() {
    PoolAddresses addresses =
        addresses(
            List.of(),
            Map.of(
                "MINTMARK_DB_EU", "jdbc:postgresql://variable/app",
                "MINTMARK_DB_US_EAST", "postgresql://us/app",
                "PGUSER", "app"),
            "eu=jdbc:postgresql://option/app?user=a&password=b");

    assertThat(addresses.first()).contains("home");
    assertThat(addresses.areSeveral()).isTrue();
    assertThat(addresses.others()).containsOnlyKeys("eu", "us-east");
    assertThat(addresses.others().get("eu")).hasToString("jdbc:postgresql://option/app");
    assertThat(addresses.others().get("us-east"))
        .extracting(DatabaseAddress::user)
        .isEqualTo(Optional.of("app"));
  }

  @Test
  void oneValueOfAFileNamesSeveral() {
    assertThat(
            addresses(List.of(), Map.of(), "eu=postgresql://h1,h2/app us=postgresql://h3/app")
                .others())
        .containsOnlyKeys("eu", "us");
  }

  @Test
  void theFirstIsThatOfTheCatalogAndTheOthersAreInItsOrder() {
    PoolAddresses addresses =
        addresses(
            List.of("global", "us", "eu"),
            Map.of("MINTMARK_DB_EU", "postgresql://eu/app"),
            "us=postgresql://us/app");

    assertThat(addresses.first()).contains("global");
    assertThat(addresses.others().keySet()).containsExactly("us", "eu");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "global eu|us=postgresql://h/d|--pool-database us: not in the catalog: unknown database \"us\": expected"
            + " one of global, eu",
        "global eu|global=postgresql://h/d|--pool-database global: global is the first database, which"
            + " --database-url names",
        "''|home=postgresql://h/d|--pool-database home: home is the first database, which"
            + " --database-url names",
        "''|EU=postgresql://h/d|--pool-database EU: malformed database name \"EU\"",
        "''|eu|--pool-database: expected NAME=URL, such as eu=postgresql://eu.internal/app",
        "''|postgresql://u:very-secret@h/d?a=b|--pool-database: expected NAME=URL",
        "''|=postgresql://u:very-secret@h/d|--pool-database: expected NAME=URL",
        "''|eu=very-secret|--pool-database eu: malformed database URL: expected",
        "''|eu=postgresql://u:very-secret#x@h/d|--pool-database eu: malformed database URL",
        "''|eu=postgresql://h/d eu=postgresql://h/e|--pool-database eu is given twice",
      })
  void whatIsWrongIsSaidWithoutAnAddress(String declared, String given, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                addresses(
                    declared.isEmpty() ? List.of() : List.of(declared.split(" ", -1)),
                    Map.of(),
                    given))
        .withMessageStartingWith(message)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("very-secret"));
  }

  @Test
  void aDeclaredDatabaseWithoutAnAddressIsAnError() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> addresses(List.of("global", "us-east"), Map.of()))
        .withMessage(
            "the catalog declares the database us-east, which has no address: expected"
                + " --pool-database us-east=URL, or the variable MINTMARK_DB_US_EAST");
  }

  @Test
  void aWrongVariableIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> addresses(List.of(), Map.of("MINTMARK_DB_EU", "u:very-secret")))
        .withMessageStartingWith("MINTMARK_DB_EU: malformed database URL")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("very-secret"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> addresses(List.of(), Map.of("MINTMARK_DB_1", "postgresql://h/d")))
        .withMessageStartingWith("MINTMARK_DB_1: malformed database name \"1\"");
  }

  @Test
  void thereIsAMostNumberOfDatabases() {
    String[] many =
        IntStream.range(0, 64).mapToObj(i -> "d" + i + "=postgresql://h/d").toArray(String[]::new);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> addresses(List.of(), Map.of(), many))
        .withMessage("65 databases of pools: expected at most 64");
  }

  @Test
  void addressesAreShownWithoutALogin() {
    assertThat(PoolDatabaseOptions.shown("eu=postgresql://u:very-secret@h/d us=postgresql://h2/d"))
        .isEqualTo("eu=jdbc:postgresql://h/d us=jdbc:postgresql://h2/d");
  }
}
