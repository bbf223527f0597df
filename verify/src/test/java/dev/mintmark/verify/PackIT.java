package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.verify.Mintmark.Outcome;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code mintmark pack} on databases of the user's own, and on the embedded one. */
@Tag("long")
class PackIT {
  private static final AtomicInteger DATABASES = new AtomicInteger();

  /** A statement of docs/pack.md, and behind it what it answers. */
  private static final Pattern SHOWN =
      Pattern.compile("(?<sql>[^;]+);(?: +-- (?<answer>.*))?", Pattern.MULTILINE);

  private static EmbeddedDatabase server;
  private static Mintmark mintmark;
  private static Path directory;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    server = EmbeddedDatabase.startTemporary();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void livesFromInstallToUninstallAndLeavesNothing() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      Outcome installed = database.pack("install");
      Outcome again = database.pack("install", "--json");
      Outcome verified = database.pack("verify");

      assertThat(installed.status()).as(installed.err()).isZero();
      assertThat(installed.err()).isEmpty();
      assertThat(installed.outLines())
          .singleElement()
          .asString()
          .matches(
              "schema \"mintmark\": version 7 installed \\(\\d\\d objects created or replaced\\)");
      assertThat(again.json())
          .isEqualTo(
              json(
                  "{'schema': 'mintmark', 'version': 7, 'before': 7, 'differences': [], 'remaining': []}"));
      assertThat(verified.status()).isZero();
      assertThat(verified.outLines())
          .containsExactly("schema \"mintmark\": no differences from version 7");
      assertThat(
              database.answers(
                  "select relname from pg_class where relnamespace = 'mintmark'::regnamespace"))
          .as("none of our tables")
          .containsExactly("ulid_clock");

      Outcome uninstalled = database.pack("uninstall");
      Outcome nothing = database.pack("uninstall");

      assertThat(uninstalled.status()).isZero();
      assertThat(uninstalled.outLines())
          .contains("dropped function ulid()", "dropped sequence ulid_clock")
          .allMatch(line -> line.startsWith("dropped "));
      assertThat(database.answers("select nspname from pg_namespace where nspname = 'mintmark'"))
          .isEmpty();
      assertThat(nothing.status()).isZero();
      assertThat(nothing.out()).isEmpty();
      assertThat(nothing.errLines())
          .containsExactly("mintmark: schema \"mintmark\": no pack is installed");
    }
  }

  @Test
  void saysWhatDiffersAndPutsItRight() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      database.pack("install", "--schema", "ids");
      database.execute("drop function ids.unprefixed");
      database.execute("revoke execute on function ids.uuidv7 from public");
      database.execute(
          "create or replace function ids.ulid() returns uuid language sql return gen_random_uuid()");

      Outcome lines = database.pack("verify", "--schema", "ids");
      Outcome verbose = database.pack("verify", "--schema", "ids", "--verbose");
      Outcome json = database.pack("verify", "--schema", "ids", "--json");
      Outcome repaired = database.pack("install", "--schema", "ids");

      assertThat(lines.status()).isEqualTo(1);
      assertThat(lines.outLines())
          .containsExactly(
              "changed function ulid()",
              "missing function unprefixed(text, text)",
              "not for all function uuidv7()");
      assertThat(verbose.status()).isEqualTo(1);
      assertThat(verbose.outLines())
          .containsSubsequence(
              "changed function ulid()", "  expected:", "  found:", "    RETURN gen_random_uuid()");
      assertThat(json.status()).isEqualTo(1);
      JsonNode changed = json.json().path("differences").path(0);
      assertThat(changed.path("kind").stringValue()).isEqualTo("changed");
      assertThat(changed.path("expected").stringValue()).contains("RETURN uuidv7()");
      assertThat(changed.path("found").stringValue()).contains("RETURN gen_random_uuid()");
      assertThat(json.json().path("differences").path(1))
          .isEqualTo(
              json(
                  "{'kind': 'missing', 'object': 'function unprefixed(text, text)',"
                      + " 'expected': null, 'found': null}"));
      assertThat(json.json().path("differences").path(2).path("kind").stringValue())
          .isEqualTo("not-for-all");
      assertThat(repaired.outLines())
          .containsExactly("schema \"ids\": version 7 repaired (3 objects created or replaced)");
    }
  }

  @Test
  void isNotUninstalledWhileSomethingUsesIt() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      database.pack("install");
      database.execute("create table public.tracks (id uuid default mintmark.ulid())");

      Outcome refused = database.pack("uninstall");
      Outcome json = database.pack("uninstall", "--json");

      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.outLines())
          .containsExactly("default value for column id of table public.tracks");
      assertThat(refused.errLines())
          .containsExactly(
              "mintmark: schema \"mintmark\": the listed objects (1) use the pack, nothing"
                  + " was dropped: drop or change them first");
      assertThat(json.status()).isEqualTo(1);
      assertThat(json.json())
          .isEqualTo(
              json(
                  "{'schema': 'mintmark', 'dropped': [],"
                      + " 'dependents': ['default value for column id of table public.tracks']}"));
      assertThat(database.answers("insert into public.tracks default values returning 'kept'"))
          .containsExactly("kept");
    }
  }

  @Test
  void aRoleThatOwnsNothingMayUseAndVerifyItButIsToldWhatTheRestTakes() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      String application = database.name + "_app";
      database.execute("create role %s login password 'secret'".formatted(application));
      String url = database.url.replaceFirst("user=.*", "user=" + application + "&password=secret");

      Outcome refused = mintmark.run("pack", "install", "--database-url", url);
      database.pack("install");
      Outcome verified = mintmark.run("pack", "verify", "--database-url", url);
      Outcome notDropped = mintmark.run("pack", "uninstall", "--database-url", url);

      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.errLines())
          .containsExactly(
              "mintmark: schema \"mintmark\": ERROR: permission denied for database %s: "
                      .formatted(database.name)
                  + "installing requires a role with CREATE on the database and TEMP, replacing or"
                  + " dropping requires the role that owns the objects");
      assertThat(verified.status()).as(verified.err()).isZero();
      assertThat(notDropped.status()).isEqualTo(1);
      assertThat(notDropped.errLines()).singleElement().asString().contains("must be owner of");
      try (Connection connection = DriverManager.getConnection(url)) {
        assertThat(answers(connection, "select count(*) from mintmark.ulids(3)"))
            .containsExactly("3");
      }
    }
  }

  @Test
  void otherOwnersAndAnAbsentPackAreReported() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      assertThat(database.pack("verify").outLines())
          .containsExactly("schema \"mintmark\": no pack is installed");
      database.pack("install");
      String mallory = database.name + "_mallory";
      database.execute("create role " + mallory);
      database.execute("alter function mintmark.ulids(bigint) owner to " + mallory);
      database.execute("grant create on schema mintmark to public");
      database.execute(
          "create function mintmark.ulid_text(varchar) returns text language sql return $1");
      database.execute("select setval('mintmark.ulid_clock', 9223372036854775807)");

      Outcome verified = database.pack("verify");
      Outcome refused = database.pack("install");

      assertThat(verified.status()).isEqualTo(1);
      assertThat(verified.outLines())
          .contains(
              "function ulids(bigint) is owned by " + mallory,
              "PUBLIC may create functions in schema mintmark",
              "sequence ulid_clock is ahead of the server's clock: 3084-12-12T12:41:28.831Z")
          .anyMatch(
              line ->
                  line.startsWith("not of the pack: function ulid_text(character varying), owned"));
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.errLines())
          .singleElement()
          .asString()
          .contains("function ulids(bigint) belongs to " + mallory);
      assertThat(database.pack("verify", "--json").out()).contains("\"role\" : \"PUBLIC\"");
    }
  }

  @Test
  void everyCommandWorksThroughAPooler() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      URI address = URI.create(database.url.substring("jdbc:".length()));
      Matcher login = Pattern.compile("user=([^&]*)&password=([^&]*)").matcher(database.url);
      assertThat(login.find()).isTrue();
      try (PgBouncer pooler =
          PgBouncer.before(
              directory,
              address.getHost(),
              address.getPort(),
              database.name,
              login.group(1),
              login.group(2))) {
        String url =
            "postgresql://%s@127.0.0.1:%d/%s"
                .formatted(login.group(1), pooler.port(), database.name);
        for (int i = 0; i < 3; i++) {
          for (String command : List.of("install", "verify", "install", "uninstall")) {
            Outcome outcome = mintmark.run("pack", command, "--database-url", url);
            assertThat(outcome.status()).as(command + ": " + outcome.err()).isZero();
          }
        }
        assertThat(
                mintmark
                    .run("pack", "install", "--database-url", url + "?prepareThreshold=0")
                    .status())
            .isZero();
      }
    }
  }

  @Test
  void theScriptThatIsPrintedInstallsTheSame() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      database.execute(mintmark.run("pack", "print", "--schema", "ids").out());

      assertThat(database.pack("verify", "--schema", "ids").status()).isZero();
      assertThat(database.pack("verify").status()).as("of another schema").isEqualTo(1);
    }
  }

  @Test
  void aFunctionOfTheUserIsReplacedInPlaceAndRestored() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      database.execute(
          "create function public.generate_ulid() returns text language sql as"
              + " $$select upper('01fzg96ypzk4sanag1zm5t2k9z')$$");
      database.execute("create table public.users (id text default public.generate_ulid())");

      Outcome shown = database.pack("install", "--compat", "generate_ulid");
      Outcome again = database.pack("install", "--compat", "generate_ulid", "--json");
      Outcome verified = database.pack("verify");
      Outcome kept = database.pack("uninstall");
      String minted =
          database.answers("insert into public.users default values returning id").get(0);
      Outcome restored = database.pack("uninstall", "--compat", "generate_ulid");
      Outcome nothing = database.pack("uninstall", "--compat", "generate_ulid");
      Outcome absent = database.pack("install", "--compat", "missing");
      Outcome refused = database.pack("verify", "--compat", "generate_ulid:uuid", "--json");

      assertThat(shown.status()).as(shown.err()).isZero();
      assertThat(shown.outLines())
          .contains(
              "    default value for column id of table public.users",
              "function public.generate_ulid() replaced: mintmark pack uninstall --compat"
                  + " generate_ulid restores it")
          .anyMatch(line -> line.contains("upper('01fzg96ypzk4sanag1zm5t2k9z')"));
      assertThat(again.json().path("state").stringValue()).isEqualTo("in-place");
      assertThat(again.json().path("restores").stringValue()).contains("CREATE OR REPLACE");
      assertThat(verified.status()).isZero();
      assertThat(verified.outLines())
          .contains("function public.generate_ulid(): the drop-in is in place");
      assertThat(kept.status()).isEqualTo(1);
      assertThat(kept.outLines()).containsExactly("function public.generate_ulid()");
      assertThat(minted)
          .matches("[0-7][0-9A-HJKMNP-TV-Z]{25}")
          .isNotEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");
      assertThat(restored.status()).isZero();
      assertThat(database.answers("select public.generate_ulid()"))
          .containsExactly("01FZG96YPZK4SANAG1ZM5T2K9Z");
      assertThat(nothing.status()).isEqualTo(1);
      assertThat(nothing.errLines()).singleElement().asString().contains("nothing to restore");
      assertThat(absent.status()).isEqualTo(1);
      assertThat(absent.errLines())
          .singleElement()
          .asString()
          .contains("create it with create function \"missing\"() returns text");
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.json().path("reasons").path(0).stringValue())
          .isEqualTo("it returns text: expected uuid");
    }
  }

  @Test
  void aDatabaseIsMeasuredAndLeftAsItWas() throws SQLException {
    try (OwnDatabase database = new OwnDatabase()) {
      database.execute(
          "create function public.own() returns text language sql as"
              + " 'select gen_random_uuid()::text'");
      database.execute("create schema mintmark_bench_left");
      String schemas = "select string_agg(nspname, ' ' order by nspname) from pg_namespace";
      String before = database.answers(schemas).get(0);

      Outcome measured =
          database.pack("bench", "--rows", "5000", "--rounds", "1", "--function", "own", "--json");
      Outcome files =
          database.pack("bench", "--sql", directory.resolve("sql").toString(), "--rows", "1000");
      Outcome unknown = database.pack("bench", "--function", "missing");

      assertThat(measured.status()).as(measured.err()).isZero();
      assertThat(measured.errLines())
          .anyMatch(line -> line.contains("schema mintmark_bench_left is of another run"))
          .anyMatch(line -> line.contains("are written at most"));
      JsonNode mints = measured.json().path("mints");
      assertThat(mints.size()).isEqualTo(7);
      long wal = 0;
      for (JsonNode mint : mints) {
        assertThat(mint.path("generated_per_s").asLong()).as(mint.toString()).isPositive();
        assertThat(mint.path("hash_bytes").asLong()).as(mint.toString()).isPositive();
        wal += mint.path("wal_bytes").asLong();
      }
      assertThat(wal).as("within the bound").isBetween(7 * 5000L * 50, 7 * 5000L * 1024);
      assertThat(mint(mints, "public.own()").path("index_bytes").asLong())
          .as("random texts take more than a sequence of numbers")
          .isGreaterThan(mint(mints, "bigint sequence").path("index_bytes").asLong());
      assertThat(database.answers(schemas)).containsExactly(before);
      assertThat(files.outLines()).hasSize(4).allMatch(line -> line.endsWith(".sql"));
      assertThat(unknown.status()).isEqualTo(2);
      assertThat(unknown.errLines())
          .singleElement()
          .asString()
          .contains("--function is \"missing\"");
    }
  }

  private static JsonNode mint(JsonNode mints, String name) {
    for (JsonNode mint : mints) {
      if (mint.path("mint").stringValue().equals(name)) {
        return mint;
      }
    }
    throw new AssertionError("no mint " + name + " in " + mints);
  }

  @Test
  void theEmbeddedDatabaseComesWithIt() throws SQLException {
    try (RunningServer running = RunningServer.start(mintmark, data());
        Connection connection = DriverManager.getConnection(running.databaseUrl())) {
      assertThat(answers(connection, "select mintmark.ulid_text(mintmark.ulid())").get(0))
          .hasSize(26);
      assertThat(onData("pack", "verify").status()).isZero();

      assertThat(onData("pack", "uninstall").status()).isZero();

      assertThat(running.http().claim("public-ipv4", "unharmed").status()).isEqualTo(201);
      try (Statement statement = connection.createStatement()) {
        statement.execute("create function mintmark.ulid() returns int language sql return 1");
      }
    }

    Outcome withoutServer = onData("pack", "install");
    assertThat(withoutServer.status()).isEqualTo(1);
    assertThat(withoutServer.errLines())
        .containsExactly(
            "mintmark: schema \"mintmark\": ERROR: cannot change return type of existing function"
                + " (Hint: Use DROP FUNCTION mintmark.ulid() first.): drop or rename it, or choose another schema");

    try (RunningServer running = RunningServer.start(mintmark, data())) {
      assertThat(running.get("/v1/pools/public-ipv4/claims").body()).contains("unharmed");
      running.signal("TERM");
      assertThat(running.awaitEnd().err())
          .contains("warning: the SQL pack was not installed: schema \"mintmark\": ERROR: cannot");
    }
  }

  @Test
  void thePageShowsWhatHappens() throws SQLException {
    List<String> blocks = new Page("docs/pack.md").blocks("sql");
    assertThat(blocks).hasSizeGreaterThan(6);

    try (OwnDatabase database = new OwnDatabase()) {
      database.pack("install");
      for (String block : blocks) {
        Matcher shown = SHOWN.matcher(block);
        while (shown.find()) {
          if (shown.group("answer") == null) {
            database.execute(shown.group("sql"));
          } else {
            assertThat(database.answers(shown.group("sql")))
                .as(shown.group("sql"))
                .containsExactly(shown.group("answer"));
          }
        }
      }
      assertThat(database.answers("select count(*) from tracks")).containsExactly("1003");
    }
  }

  private static Path data() {
    return directory.resolve("data");
  }

  private static Outcome onData(String... command) {
    return mintmark.run(
        Stream.concat(Stream.of(command), Stream.of("--data", data().toString()))
            .toArray(String[]::new));
  }

  /** A new database of the server, and a connection to it. */
  private static final class OwnDatabase implements AutoCloseable {
    private final String name = "own" + DATABASES.incrementAndGet();
    private final String url = server.superuserUrl().replaceFirst("/mintmark\\?", "/" + name + "?");
    private final Connection connection;

    OwnDatabase() throws SQLException {
      try (Connection creator = DriverManager.getConnection(server.superuserUrl());
          Statement statement = creator.createStatement()) {
        statement.execute("create database " + name);
      }
      connection = DriverManager.getConnection(url);
    }

    /** Runs {@code mintmark pack} on it. */
    Outcome pack(String... arguments) {
      return mintmark.run(
          Stream.of(List.of("pack"), List.of(arguments), List.of("--database-url", url))
              .flatMap(List::stream)
              .toArray(String[]::new));
    }

    void execute(String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }

    List<String> answers(String sql) throws SQLException {
      return PackIT.answers(connection, sql);
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  /** The first column of every row, as text. */
  private static List<String> answers(Connection connection, String sql) throws SQLException {
    List<String> answers = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        answers.add(row.getString(1));
      }
    }
    return answers;
  }

  /** JSON in single quotes. */
  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }
}
