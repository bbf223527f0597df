package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.Driver;

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
        "postgresql://db/app?user=ann&password=s%26cret, jdbc:postgresql://db/app, ann, s&cret",
        "postgresql://db/app?target_session_attrs=read-write&channel_binding=require, "
            + "jdbc:postgresql://db/app?targetServerType=primary&channelBinding=require, -, -",
        "jdbc:postgresql://db/app?user=ann, jdbc:postgresql://db/app?user=ann, -, -",
        "postgresql://db/app?prepareThreshold=0&sockettimeout=5, "
            + "jdbc:postgresql://db/app?prepareThreshold=0&socketTimeout=5, -, -",
      })
  void readsBothSpellings(String url, String jdbcUrl, String user, String password) {
    DatabaseAddress address = DatabaseAddress.parse(url);

    assertThat(address.jdbcUrl()).isEqualTo(jdbcUrl);
    assertThat(address.user().orElse(null)).isEqualTo(user);
    assertThat(address.password().orElse(null)).isEqualTo(password);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://a/app, jdbc:postgresql://a/app",
    "'jdbc:postgresql://a,b:5433/app', 'jdbc:postgresql://a,b:5433/app?targetServerType=primary'",
    "'jdbc:postgresql://[::1]:1,b/app?sslmode=require', "
        + "'jdbc:postgresql://[::1]:1,b/app?sslmode=require&targetServerType=primary'",
    "'postgresql://[::1]:1,b/app', 'jdbc:postgresql://[::1]:1,b/app?targetServerType=primary'",
    "'postgresql://a,[2001:db8::1]/app', "
        + "'jdbc:postgresql://a,[2001:db8::1]/app?targetServerType=primary'",
    "'postgresql://a:1,b:2/app', 'jdbc:postgresql://a:1,b:2/app?targetServerType=primary'",
    "'jdbc:postgresql://a,b/app?targetServerType=any', "
        + "'jdbc:postgresql://a,b/app?targetServerType=any'",
    "'jdbc:postgresql://a/x,y?options=1,2', 'jdbc:postgresql://a/x,y?options=1,2'",
  })
  void severalHostsMeanTheirPrimaryUnlessTheUserSaysOtherwise(String url, String jdbcUrl) {
    assertThat(DatabaseAddress.parse(url).jdbcUrl()).isEqualTo(jdbcUrl);
  }

  @Test
  void thePrimaryIsSoughtAmongTheHostsWithAllParameters() {
    DatabaseAddress several =
        DatabaseAddress.parse("postgresql://ann:secret@a:1,b/x,y?sslmode=require");

    assertThat(several.isOfPrimary()).isTrue();
    assertThat(several.hosts().stream().map(DatabaseAddress::jdbcUrl))
        .containsExactly(
            "jdbc:postgresql://a:1/x,y?sslmode=require&targetServerType=primary",
            "jdbc:postgresql://b/x,y?sslmode=require&targetServerType=primary");
    assertThat(several.hosts()).allMatch(host -> host.password().equals(Optional.of("secret")));
    assertThat(several.hosts()).noneMatch(DatabaseAddress::isOfPrimary);
    assertThat(several.hosts().get(0).hosts()).containsExactly(several.hosts().get(0));
    assertThat(DatabaseAddress.parse("postgresql://a,b/x?targetServerType=any").isOfPrimary())
        .isFalse();
  }

  @Test
  void namesAnUnknownParameterAsItWasTyped() {
    assertThatThrownBy(() -> DatabaseAddress.parse("postgresql://db/app?preparedThreshold=0"))
        .hasMessage("malformed database URL: the parameter \"preparedThreshold\" is not supported");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mysql://ann:secret@db/app",
        "db.example",
        "",
        "postgresql://ann:secret@db/app?nonsense=1",
        "postgresql://db/app?nonsense=secret",
        "postgresql://ann:sec/ret@db/app",
        "postgresql://ann:sec#ret@db/app",
        "postgresql://ann:sec?ret@db/app",
        "postgresql://ann:sec@ret@db/app?x",
        "postgresql://ann:sec",
        "jdbc:postgresql://ann:secret@db:5432/app",
        "jdbc:postgresql://ann:secret@db/app",
        "host=db password=secret options='-c a:b'",
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

  @ParameterizedTest
  @CsvSource({
    "PGAPPNAME, billing, ApplicationName=billing",
    "PGCHANNELBINDING, require, channelBinding=require",
    "PGCONNECT_TIMEOUT, 9, connectTimeout=9",
    "PGGSSENCMODE, disable, gssEncMode=disable",
    "PGOPTIONS, -c statement_timeout=5s, options=-c%20statement_timeout%3D5s",
    "PGSSLCERT, /etc/client.crt, sslcert=%2Fetc%2Fclient.crt",
    "PGSSLKEY, /etc/client.pk8, sslkey=%2Fetc%2Fclient.pk8",
    "PGSSLMODE, verify-full, sslmode=verify-full",
    "PGSSLROOTCERT, /etc/root.crt, sslrootcert=%2Fetc%2Froot.crt",
    "PGTARGETSESSIONATTRS, standby, targetServerType=secondary",
  })
  void readsTheVariablesOfLibpqThatTheDriverHasAParameterFor(
      String name, String value, String parameter) throws SQLException {
    DatabaseAddress address = environment(Map.of("PGHOST", "db", "PGDATABASE", "app", name, value));

    assertThat(address.jdbcUrl()).isEqualTo("jdbc:postgresql://db:5432/app?" + parameter);
    assertThat(DatabaseAddress.isVariable(name)).isTrue();
    String driverName = parameter.replaceFirst("=.*", "");
    assertThat(new Driver().getPropertyInfo(address.jdbcUrl(), new Properties()))
        .anySatisfy(
            property -> {
              assertThat(property.name).isEqualTo(driverName);
              assertThat(property.value).isIn(value, "secondary");
            });
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
    assertThat(environment(Map.of("PGHOST", "::1", "PGDATABASE", "app", "PGPASSWORD", "")))
        .returns("jdbc:postgresql://[::1]:5432/app", DatabaseAddress::jdbcUrl)
        .returns(Optional.empty(), DatabaseAddress::password);
    assertThat(environment(Map.of("PGHOST", "a,b", "PGPORT", "1,2", "PGDATABASE", "app")))
        .returns(
            "jdbc:postgresql://a:1,b:2/app?targetServerType=primary", DatabaseAddress::jdbcUrl);
    assertThat(
            environment(
                Map.of(
                    "PGHOST", "a,b",
                    "PGDATABASE", "app",
                    "PGCONNECT_TIMEOUT", "9",
                    "PGTARGETSESSIONATTRS", "any")))
        .returns(
            "jdbc:postgresql://a:5432,b:5432/app?connectTimeout=9&targetServerType=any",
            DatabaseAddress::jdbcUrl);
    assertThatThrownBy(() -> environment(Map.of("PGHOST", "a,b", "PGPORT", "1,2,3")))
        .hasMessage("PGPORT has 3 ports: expected 1, or one for each of the 2 hosts in PGHOST");
    assertThatThrownBy(() -> DatabaseAddress.fromEnvironment(Map.of("PGHOST", "/run/postgresql")))
        .hasMessageContaining("Unix sockets are not supported");
  }

  private static DatabaseAddress environment(Map<String, String> variables) {
    return DatabaseAddress.fromEnvironment(variables).orElseThrow();
  }

  @Test
  void theLoginComesFromTheEnvironmentWhereTheUrlHasNone() {
    Map<String, String> environment = Map.of("PGUSER", "ann", "PGPASSWORD", "s");

    DatabaseAddress bare = DatabaseAddress.parse("jdbc:postgresql://db/app").orLoginOf(environment);
    DatabaseAddress own =
        DatabaseAddress.parse("jdbc:postgresql://db/app?user=bob&password=t")
            .orLoginOf(environment);

    assertThat(bare.user()).contains("ann");
    assertThat(bare.password()).contains("s");
    assertThat(own.user()).isEmpty();
    assertThat(own.password()).isEmpty();
  }
}
