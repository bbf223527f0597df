package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL of the user's own, named in each of the ways there are. */
@Tag("long")
class OwnDatabaseIT {
  private static final Pattern LOGIN = Pattern.compile("\\?user=([^&]+)&password=([^&]+)");

  private static final String NOTHING_HEARD = "LISTEN receives no notifications";

  private static EmbeddedDatabase database;
  private static Mintmark mintmark;
  private static Path directory;
  private static URI address = URI.create("postgresql://unset");
  private static String user = "";
  private static String password = "";

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    database = EmbeddedDatabase.startTemporary();
    Matcher login = LOGIN.matcher(database.jdbcUrl());
    assertThat(login.find()).isTrue();
    user = login.group(1);
    password = login.group(2);
    address = URI.create(database.jdbcUrl().substring("jdbc:".length(), login.start()));
  }

  @AfterAll
  static void stop() {
    database.close();
  }

  @Test
  void isServedByItsJdbcUrl() {
    try (RunningServer server =
        RunningServer.start(mintmark, "--port", "0", "--database-url", database.jdbcUrl())) {
      assertServes(server);
    }
  }

  @Test
  void isServedByItsLibpqUrl() {
    String url =
        "postgresql://%s:%s@%s%s?connect_timeout=5"
            .formatted(user, password, address.getRawAuthority(), address.getRawPath());

    try (RunningServer server =
        RunningServer.start(mintmark, "--port", "0", "--no-listen", "--database-url", url)) {
      assertServes(server);
    }
  }

  @Test
  void isFoundThroughTheEnvironmentAndAPasswordFile() throws IOException {
    Path passwords = directory.resolve("passwords");
    Files.createFile(
        passwords,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(passwords, "127.0.0.1:*:*:%s:%s\n".formatted(user, password));
    Mintmark surrounded = mintmark;
    for (Map.Entry<String, String> variable :
        Map.of(
                "PGHOST", address.getHost(),
                "PGPORT", Integer.toString(address.getPort()),
                "PGDATABASE", address.getPath().substring(1),
                "PGUSER", user,
                "PGPASSFILE", passwords.toString())
            .entrySet()) {
      surrounded = surrounded.with(variable.getKey(), variable.getValue());
    }

    try (RunningServer server = RunningServer.start(surrounded, "--port", "0")) {
      Outcome stats = surrounded.run("pool", "stats", "public-ipv4", "--json");
      assertThat(stats.json()).isEqualTo(server.get("/v1/pools/public-ipv4").json());
      assertServes(server);
    }
  }

  @Test
  void itsSequencesAreFedFromAPool() throws SQLException {
    assertThat(onDatabase("create", "order-numbers", "--block", "1..1000 by 100").status())
        .isZero();
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("create sequence public.orders_id_seq");
      Outcome moved = onDatabase("feed", "order-numbers", "public.orders_id_seq", "--json");
      Outcome enough = onDatabase("feed", "order-numbers", "public.orders_id_seq");
      Outcome fresh =
          onDatabase("feed", "order-numbers", "public.orders_id_seq", "--fresh", "--json");

      assertThat(moved.status()).as(moved.err()).isZero();
      assertThat(moved.json().get("outcome").asString()).isEqualTo("moved");
      assertThat(moved.json().get("run").asString()).isEqualTo("1..100");
      assertThat(enough.outLines())
          .containsExactly("public.orders_id_seq has enough, 100 numbers left");
      assertThat(fresh.json().get("run").asString()).isEqualTo("101..200");
      try (ResultSet number = statement.executeQuery("select nextval('orders_id_seq')")) {
        assertThat(number.next()).isTrue();
        assertThat(number.getLong(1)).isEqualTo(101);
      }
    }

    Outcome unknown = onDatabase("feed", "order-numbers", "public.nowhere");
    assertThat(unknown.status()).isEqualTo(1);
    assertThat(unknown.err()).contains("public.nowhere").contains("no such sequence");
    assertThat(onDatabase("feed", "order-numbers", "nowhere").status()).isEqualTo(2);
  }

  private static Outcome onDatabase(String... command) {
    return mintmark.run(
        Stream.of(
                Stream.of("pool"),
                Stream.of(command),
                Stream.of("--database-url", database.jdbcUrl()))
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  @Test
  void isRefusedIfItDrawsTokensAhead() throws SQLException {
    assertThat(onDatabase("create", "drawn-ahead", "--block", "1..10").status()).isZero();
    try (Connection connection = DriverManager.getConnection(database.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("alter sequence mintmark.pool_token cache 100");
      try {
        for (Outcome refused :
            List.of(
                mintmark.run("serve", "--port", "0", "--database-url", database.jdbcUrl()),
                onDatabase("verify", "--seconds", "1"))) {
          assertThat(refused.status()).isEqualTo(3);
          assertThat(refused.err())
              .contains("the database does not have what pools require: two sessions drew");
        }
      } finally {
        statement.execute("alter sequence mintmark.pool_token cache 1");
      }
    }
  }

  @Test
  void isServedThroughAPoolerAndItIsSaidThatNothingIsHeard() {
    try (PgBouncer pooler =
        PgBouncer.before(
            directory,
            address.getHost(),
            address.getPort(),
            address.getPath().substring(1),
            user,
            password)) {
      String url =
          "postgresql://%3$s@127.0.0.1:%1$d%2$s".formatted(pooler.port(), address.getPath(), user);
      try (RunningServer server =
          RunningServer.start(mintmark, "--port", "0", "--database-url", url)) {
        HttpApi http = server.http();
        http.post("/v1/pools", "{\"name\": \"one\", \"range\": \"7..7\"}");
        HttpApi.Answer first = http.claim("one", "a");
        assertThat(first.status()).isEqualTo(201);
        assertThat(http.claim("one", "b").status()).isEqualTo(409);

        String token = first.get("token");
        Outcome released =
            mintmark.run("pool", "release", "one", "7", "--token", token, "--database-url", url);

        assertThat(released.status()).isZero();
        Eventually.present(
            Patience.MAX, () -> Optional.of(http.claim("one", "b")).filter(a -> a.status() == 201));
        Eventually.present(
            Patience.MAX,
            () -> Optional.of(server.errSoFar()).filter(err -> err.contains(NOTHING_HEARD)));
      }
    }
  }

  private static void assertServes(RunningServer server) {
    assertThat(mintmark.run("pack", "verify", "--database-url", database.jdbcUrl()).outLines())
        .as("the pack is left to its owner")
        .containsExactly("schema \"mintmark\": no pack is installed");
    assertThat(server.databaseUrl()).isEqualTo("jdbc:" + address);
    assertThat(server.http().claim("public-ipv4", "pid-" + server.pid()).status()).isEqualTo(201);
    server.signal("TERM");
    assertThat(server.awaitEnd().err())
        .endsWith("stopped\n")
        .doesNotContain(password, NOTHING_HEARD);
    assertThat(directory.resolve(".mintmark")).as("no embedded database").doesNotExist();
  }
}
