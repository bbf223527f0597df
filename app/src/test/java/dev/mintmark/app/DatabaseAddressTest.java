package dev.mintmark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "postgresql://db.example/app, jdbc:postgresql://db.example/app, -, -",
        "postgres://db.example:5433/app, jdbc:postgresql://db.example:5433/app, -, -",
        "postgresql://ann@db.example/app, jdbc:postgresql://db.example/app, ann, -",
        "postgresql://ann:s%40cret%2F+%3A@db/app, jdbc:postgresql://db/app, ann, s@cret/+:",
        "postgresql://[2001:db8::1]:5432/app, jdbc:postgresql://[2001:db8::1]:5432/app, -, -",
        "postgresql:///app, jdbc:postgresql://localhost/app, -, -",
        "'postgresql://a:1,b:2/app?target_session_attrs=primary', "
            + "'jdbc:postgresql://a:1,b:2/app?targetServerType=primary', -, -",
        "postgresql://db/app?sslmode=require&application_name=x, "
            + "jdbc:postgresql://db/app?sslmode=require&ApplicationName=x, -, -",
        "jdbc:postgresql://db/app?user=ann, jdbc:postgresql://db/app?user=ann, -, -",
      })
  void readsBothSpellings(String url, String jdbcUrl, String user, String password) {
    DatabaseAddress address = DatabaseAddress.parse(url);

    assertThat(address.jdbcUrl()).isEqualTo(jdbcUrl);
    assertThat(address.user().orElse(null)).isEqualTo(user);
    assertThat(address.password().orElse(null)).isEqualTo(password);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mysql://ann:secret@db/app",
        "db.example",
        "",
        "postgresql://ann:secret@db/app?nonsense=1",
        "postgresql://ann:sec ret@db/app",
      })
  void refusesOthersWithoutShowingAPassword(String url) {
    assertThatThrownBy(() -> DatabaseAddress.parse(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("malformed database URL")
        .message()
        .doesNotContain("sec");
  }

  @Test
  void isShownWithoutLoginAndParameters() {
    assertThat(DatabaseAddress.parse("jdbc:postgresql://db/app?user=ann&password=secret").shown())
        .isEqualTo("jdbc:postgresql://db/app");
    assertThat(DatabaseAddress.parse("postgresql://ann:secret@db/app"))
        .hasToString("jdbc:postgresql://db/app");
  }

  @Test
  void readsTheVariablesOfLibpqWhereTheyNameAHostOrADatabase() {
    assertThat(DatabaseAddress.fromEnvironment(Map.of("PGUSER", "ann"))).isEmpty();

    DatabaseAddress address =
        DatabaseAddress.fromEnvironment(
                Map.of("PGHOST", "db", "PGUSER", "ann", "PGPASSWORD", "s", "PGSSLMODE", "require"))
            .orElseThrow();

    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db:5432/ann?sslmode=require");
    assertThat(address.user()).contains("ann");
    assertThat(address.password()).contains("s");
    assertThatThrownBy(() -> DatabaseAddress.fromEnvironment(Map.of("PGHOST", "/run/postgresql")))
        .hasMessageContaining("a Unix socket cannot be used");
  }
}
