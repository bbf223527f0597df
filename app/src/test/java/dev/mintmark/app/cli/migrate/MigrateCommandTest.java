package dev.mintmark.app.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mintmark.app.cli.MintmarkCommand;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code mintmark migrate} on databases of their own, in this process. */
@Tag("long")
class MigrateCommandTest {
  private static final Path SCHEMAS =
      Path.of("../operations/src/test/resources/dev/mintmark/operations/schemas");

  /**
   * A key of texts that another table refers to, and a table whose rows know when they were made.
   */
  private static final String SHOP =
      """
      create table orders (id text primary key, note text);
      create table lines (
        id integer primary key generated always as identity,
        order_id text not null references orders,
        at timestamptz not null default now()
      );
      insert into orders
        select '01FZG96YPZ' || lpad(i::text, 16, '0'), 'note ' || i from generate_series(1, 300) i;
      insert into lines (order_id) select id from orders;
      analyze;
      """;

  private static final String CATALOG =
      """
      namespace: shop
      collections:
        orders: { kind: ulid, table: orders }
      """;

  @TempDir Path directory;

  private Path catalog;
  private @Nullable String url;

  @BeforeEach
  void declare() {
    catalog = directory.resolve("shop.yaml");
    declare(CATALOG);
  }

  private record Outcome(int status, String out, String err) {
    JsonNode json() {
      return JsonMapper.shared().readTree(out);
    }

    List<String> lines() {
      return out.lines().toList();
    }
  }

  @Test
  void thereIsNothingToTellBeforeTheFirstMigration() {
    JsonNode status = migrate("status", "--json").json();

    assertThat(migrate("status").lines())
        .containsExactly("no migration was started in this database");
    assertThat(status.get("state").asString()).isEqualTo("none");
    assertThat(status.get("migration").isNull()).isTrue();
    for (String command : List.of("pause", "resume", "rollback", "contract")) {
      Outcome outcome = migrate(command);
      assertThat(outcome.status).as(command).isEqualTo(1);
      assertThat(outcome.out).isEmpty();
      assertThat(outcome.err).contains("mintmark: no migration is ", "there is nothing to");
    }
  }

  @Test
  void aPlanSaysWhatItWouldDo() throws SQLException {
    execute(SHOP);

    Outcome text = migrate("plan");
    JsonNode json = migrate("plan", "--json").json();

    assertThat(text.status).isZero();
    assertThat(text.lines())
        .contains(
            "backfill",
            "    7  fill public.orders.id__new",
            "        locks public.orders: row exclusive, for a batch",
            "        locks public.lines, public.orders: access exclusive, briefly",
            "contract (only by mintmark migrate contract)",
            "rollback: mintmark migrate rollback, at any time until mintmark migrate contract",
            "plan " + json.get("fingerprint").asString())
        .last()
        .isEqualTo(
            "apply exactly this plan with: mintmark migrate apply --plan %s --catalog %s"
                .formatted(json.get("fingerprint").asString(), catalog));
    assertThat(json.propertyNames())
        .containsExactlyInAnyOrder(
            "fingerprint", "steps", "refusals", "notes", "limits", "estimate", "migration");
    JsonNode fill = json.get("steps").get(6);
    assertThat(fill.get("phase").asString()).isEqualTo("backfill");
    assertThat(fill.get("work").asString()).isEqualTo("backfill");
    assertThat(fill.get("target").asString()).isEqualTo("public.orders");
    assertThat(fill.get("locks").get(0))
        .isEqualTo(
            Json.MAPPER.readTree(
                """
                {"table": "public.orders", "mode": "row exclusive", "held": "for a batch"}"""));
    assertThat(fill.get("estimate").get("rows").asLong()).isEqualTo(300);
    assertThat(fill.get("apply").get(0).asString()).contains("update \"public\".\"orders\"");
    assertThat(json.get("migration").isNull()).isTrue();
    assertThat(query("select count(*) from pg_namespace where nspname = 'mintmark'"))
        .as("nothing is changed")
        .isEqualTo("0");
  }

  @Test
  void aMigrationGoesThereAndBack() throws SQLException {
    execute(SHOP);
    String before = query("select string_agg(o::text, ',' order by id) from orders o");
    String fingerprint = fingerprint();

    Outcome applied = migrate("apply", "--plan", fingerprint);

    assertThat(applied.status).as(applied.err).isZero();
    assertThat(applied.lines())
        .containsExactly(
            "migration 1 is baking: the new columns are in use, and the old ones are kept",
            "old code runs unchanged: compatibility views in place of the tables show the old columns",
            "new code finds the tables with the new columns in schema public__new: set search_path to public__new,"
                + " public",
            "next: drop the old columns with mintmark migrate contract, or undo it with mintmark migrate"
                + " rollback");
    assertThat(applied.err.lines())
        .startsWith("reading the texts of public.orders.id, about 300 rows")
        .contains("plan " + fingerprint)
        .contains("[7/26] backfill: fill public.orders.id__new");
    assertThat(query("select pg_typeof(id) from public__new.orders limit 1")).isEqualTo("uuid");

    Outcome underWay = migrate("plan");
    JsonNode underWayJson = migrate("plan", "--json").json();
    Outcome again = migrate("apply");
    Outcome exactly = migrate("apply", "--plan", fingerprint);
    Outcome status = migrate("status");

    assertThat(underWay.status).isZero();
    assertThat(underWay.lines())
        .startsWith(
            "migration 1 (plan %s) is baking: no other plan can be made or applied until it ends"
                .formatted(fingerprint));
    assertThat(underWayJson.get("steps")).isEmpty();
    assertThat(underWayJson.get("refusals")).isEmpty();
    assertThat(underWayJson.get("migration").get("state").asString()).isEqualTo("baking");
    assertThat(underWayJson.get("migration").get("schemas_aside").get(0).asString())
        .isEqualTo("public__new");
    assertThat(again.status).isEqualTo(1);
    assertThat(again.err).contains("migration 1", "is baking", "next: ");
    assertThat(exactly.status).as("it is applied").isZero();
    assertThat(status.lines())
        .contains(
            "no process is running it",
            "    7  done     backfill: fill public.orders.id__new",
            "   25  pending  contract: drop the old columns of public.orders.id and of what refers to"
                + " it");

    Outcome back = migrate("rollback", "--json");

    assertThat(back.status).as(back.err).isZero();
    assertThat(back.json().get("outcome").asString()).isEqualTo("rolled-back");
    assertThat(back.json().get("migration").get("schemas_aside")).isEmpty();
    assertThat(back.err).contains("[24/26] switch: undo: switch public.orders.id");
    assertThat(query("select string_agg(o::text, ',' order by id) from orders o"))
        .isEqualTo(before);
    assertThat(migrate("plan").lines()).contains("expand");
  }

  @Test
  void behindTheContractionThereIsNothingToDo() throws SQLException {
    execute(SHOP);
    declare(
        """
        namespace: shop
        collections:
          lines: { kind: sequence, table: lines }
          items: { kind: ulid, table: lines, column: public_id, created: at }
        """);
    String fingerprint = fingerprint();

    Outcome applied = migrate("apply", "--full-pace", "--json");
    Outcome contracted = migrate("contract");

    assertThat(applied.json().get("outcome").asString()).isEqualTo("baking");
    assertThat(contracted.status).as(contracted.err).isZero();
    assertThat(contracted.lines())
        .containsExactly("migration 1 is contracted: the old columns are dropped");
    assertThat(contracted.err)
        .startsWith("mintmark: the migration cannot be rolled back from the first step on");
    assertThat(migrate("plan").lines())
        .containsExactly("nothing to do: the database matches %s".formatted(catalog));
    JsonNode empty = migrate("plan", "--json").json();
    assertThat(empty.get("steps")).isEmpty();
    assertThat(empty.get("migration").isNull()).isTrue();
    assertThat(migrate("apply", "--json").json().get("outcome").asString())
        .isEqualTo("nothing-to-do");
    assertThat(migrate("apply", "--plan", fingerprint).status)
        .as("a deployment that runs again")
        .isZero();
    assertThat(migrate("apply", "--plan", "0123456789abcdef").status).isEqualTo(1);
    assertThat(query("select count(distinct public_id) from lines")).isEqualTo("300");
  }

  @Test
  void onlyThePlanThatWasShownIsApplied() throws SQLException {
    execute(SHOP);
    String shown = fingerprint();
    execute("create index on orders (id, note)");

    Outcome outcome = migrate("apply", "--plan", shown);

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.err)
        .contains("mintmark: the plan is now " + fingerprint() + ", not \"" + shown + "\"");
    assertThat(migrate("status", "--json").json().get("state").asString()).isEqualTo("none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: ulid, table: order | 5 | table order: there is no such table in the database; did you"
            + " mean \"orders\"?",
        "kind: ulid, table: public.linse | 5 | table public.linse: there is no such table in the"
            + " database; did you mean \"public.lines\"?",
        "kind: ulid, table: lines, column: public_id, created: ad | 7 | table public.lines: it has no"
            + " column ad, which says when a row was made; did you mean \"at\"?",
        "kind: ulid, table: orders, referenced-by: [lines.order_ids] | 6 | reference lines.order_ids:"
            + " there is no such column in the database; did you mean \"lines.order_id\"?",
        "kind: ulid, table: orders, column: note | 6 | column public.orders.note: of 300 texts 300 in"
            + " public.orders.note are not identifiers",
      })
  void aRefusalNamesTheLineThatIsAtFault(String collection, int line, String reason)
      throws SQLException {
    execute(SHOP);
    declare("namespace: shop\ncollections:\n  things:" + collection.replaceAll("(^|, )", "\n    "));

    Outcome plan = migrate("plan");

    assertThat(plan.status).isEqualTo(1);
    assertThat(plan.lines())
        .anyMatch(text -> text.startsWith("refused: %s:%d: %s".formatted(catalog, line, reason)))
        .last()
        .isEqualTo("this plan cannot be applied: 1 refusal");
  }

  @Test
  void aPlanWithRefusalsIsNotApplied() throws SQLException {
    execute(SHOP);
    declare("namespace: shop\ncollections:\n  orders: { kind: ulid, table: order }\n");

    Outcome json = migrate("plan", "--json");
    Outcome sql = migrate("plan", "--sql");
    Outcome apply = migrate("apply");

    String refusal = "refused: %s:3: table order: ".formatted(catalog);
    assertThat(List.of(json.status, sql.status, apply.status)).containsOnly(1);
    assertThat(json.json().get("refusals").get(0).get("line").asInt()).isEqualTo(3);
    assertThat(json.json().get("refusals").get(0).get("did_you_mean").asString())
        .isEqualTo("orders");
    assertThat(json.json().get("refusals").get(0).get("code").asString())
        .isEqualTo("missing-table");
    assertThat(json.json().get("refusals").get(0).get("file").asString())
        .isEqualTo(catalog.toString());
    assertThat(sql.err).contains(refusal);
    assertThat(sql.lines()).allMatch(text -> text.startsWith("--"));
    assertThat(apply.err).contains(refusal, "nothing was changed", " [missing-table]");
  }

  @Test
  void aColumnThatLooksLikeASlipIsAskedFor() throws SQLException {
    execute(SHOP);
    declare(
        """
        namespace: shop
        collections:
          lines:
            kind: ulid
            table: lines
            column: order_ids
        """);

    assertThat(migrate("plan").lines())
        .contains(
            "note: %s:6: table lines has no column \"order_ids\", so it is added: did you mean \"order_id\"?"
                .formatted(catalog));
  }

  @Test
  void whatBecomesOfInvalidTextsIsChosen() throws SQLException {
    execute(SHOP);
    execute("insert into orders values (' 01fzg96ypz9999999999999999'), ('nonsense')");

    assertThat(migrate("plan").status).isEqualTo(1);
    assertThat(migrate("plan", "--invalid", "normalise").status).isEqualTo(1);
    Outcome plan = migrate("plan", "--invalid", "quarantine");
    Outcome applied =
        migrate(
            "apply",
            "--invalid",
            "quarantine",
            "--plan",
            migrate("plan", "--json", "--invalid", "quarantine")
                .json()
                .get("fingerprint")
                .asString());

    assertThat(plan.status).isZero();
    assertThat(plan.lines().get(plan.lines().size() - 1)).endsWith(" --invalid quarantine");
    assertThat(applied.status).as(applied.err).isZero();
    assertThat(migrate("contract").status).isZero();
    assertThat(query("select string_agg(value, ',') from mintmark.key_quarantine"))
        .isEqualTo("nonsense");
  }

  @Test
  void theScriptDoesWhatTheRunWould() throws SQLException {
    execute(SHOP);

    String script = migrate("plan", "--sql").out;

    List<String> steps = Arrays.asList(script.split("\n\n(?=-- [0-9]+\\. )", -1));
    assertThat(steps).hasSizeGreaterThan(20);
    assertThat(steps.get(0)).contains("\nset standard_conforming_strings = 'on';\n");
    for (String step : steps) {
      execute(step);
    }
    assertThat(
            query(
                "select count(*) from public__new.lines l join public__new.orders o on o.id = l.order_id"))
        .isEqualTo("300");
    assertThat(query("select pg_typeof(id) from public__new.orders limit 1")).isEqualTo("uuid");
    assertThat(query("select pg_typeof(id) from orders limit 1"))
        .as("not contracted")
        .isEqualTo("text");
  }

  @Test
  void aRunTellsWhyItWaitsAndIsPausedAndResumed() throws SQLException {
    execute(SHOP);
    List<Outcome> meanwhile = new ArrayList<>();

    Outcome applied =
        applyBlocked(() -> meanwhile.addAll(List.of(migrate("resume"), migrate("pause"))));

    Outcome resumedMeanwhile = meanwhile.get(0);
    Outcome pause = meanwhile.get(1);
    assertThat(applied.status).as("it did not get to its end").isEqualTo(1);
    assertThat(applied.lines()).startsWith("migration 1 is paused: completed work is kept");
    assertThat(applied.err).contains("public.orders is locked by process ");
    assertThat(resumedMeanwhile.status).isEqualTo(1);
    assertThat(resumedMeanwhile.err)
        .startsWith("mintmark: another run works on this database: process ");
    assertThat(pause.status).isZero();
    assertThat(pause.lines().get(0)).contains("ends after its current transaction");
    assertThat(migrate("status").lines())
        .anyMatch(line -> line.contains("is applying, paused"))
        .contains("no process is running it");

    assertThat(migrate("resume").status).isZero();
    assertThat(migrate("status", "--json").json().get("state").asString()).isEqualTo("baking");
  }

  @Test
  void aRunThatBreaksOffSaysHowToGoOn() throws SQLException {
    execute(SHOP);

    Outcome applied =
        applyBlocked(
            () -> {
              JsonNode status = migrate("status", "--json").json();
              execute(
                  "select pg_terminate_backend(%d, %d)"
                      .formatted(status.get("runner").get("pid").asInt(), Patience.MAX.toMillis()));
            });

    assertThat(applied.status).isEqualTo(3);
    assertThat(applied.err)
        .contains(
            "mintmark: the run failed: completed work is kept; continue with: mintmark migrate resume");
    assertThat(migrate("resume").status).isZero();
  }

  @Test
  void theEndOfTheWayBackIsWarnedOf() throws SQLException {
    execute(SHOP);
    execute("alter table lines alter column id restart with 2000000000");
    declare("namespace: shop\ncollections:\n  lines: { kind: sequence, table: lines }\n");
    assertThat(migrate("apply").status).isZero();
    assertThat(migrate("status").lines())
        .contains(
            "rollback: 2,147,483,347 values left until public.lines.id exceeds 2,147,483,647");

    execute("insert into lines (order_id) select max(id) from orders");
    JsonNode near = migrate("status", "--json").json().get("limits").get(0);

    assertThat(migrate("status").lines())
        .contains(
            "warning: rollback: 147,483,647 values left until public.lines.id exceeds 2,147,483,647");
    assertThat(near.get("near_end").asBoolean()).isTrue();
    assertThat(near.get("left").asString()).isEqualTo("147483647");

    execute("alter table lines alter column id restart with 2147483648");
    execute("insert into lines (order_id) select max(id) from orders");

    assertThat(migrate("status").lines())
        .contains(
            "warning: rollback: no longer possible: public.lines.id has the value 2,147,483,648, above"
                + " 2,147,483,647");
    Outcome back = migrate("rollback");
    assertThat(back.status).isEqualTo(1);
    assertThat(back.err).contains("cannot be rolled back");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "apply", "status", "contract"})
  void aDatabaseThatIsNotThereIsAFailure(String command) {
    Outcome outcome =
        run(
            new StringWriter(),
            "migrate",
            command,
            "--catalog",
            catalog.toString(),
            "--database-url",
            "jdbc:postgresql://127.0.0.1:1/nowhere");

    assertThat(outcome.status).isEqualTo(3);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).startsWith("mintmark: database ").contains("127.0.0.1:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "apply --lock-timeout soon | --lock-timeout: malformed duration \"soon\"",
        "apply --lock-timeout 0s | --lock-timeout is 0s: expected 1ms to 10s",
        "resume --lock-timeout 11s | --lock-timeout is 11s: expected 1ms to 10s",
        "rollback --batch 1m | --batch is 1m: expected 1ms to 10s",
        "contract --lock-patience 0ms | --lock-patience is 0ms: expected 1ms to 3650d",
        "apply --wal-rate 0 | --wal-rate is 0: expected 1 to 8796093022207 MiB a second",
        "plan --json --sql | --json, --sql are mutually exclusive",
        "plan --invalid drop | Invalid value for option '--invalid'",
        "plan --catalog nowhere.yaml | nowhere.yaml: no such file",
        "apply --catalog nowhere.yaml | nowhere.yaml: no such file",
      })
  void whatIsWrongWithTheCommandIsToldWithoutADatabase(String command, String message) {
    Outcome outcome =
        run(
            new StringWriter(),
            Stream.concat(Stream.of("migrate"), Stream.of(command.split(" ", -1)))
                .toArray(String[]::new));

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.err).contains(message);
  }

  /**
   * {@code -Dmintmark.golden=write} writes the expected plans anew; read the difference before it
   * is kept.
   */
  @ParameterizedTest
  @CsvSource({"chinook, mintmark", "pagila, mintmark", "pagila, films"})
  void planForASchemaOfOthersIsTheExpectedOne(String schema, String name)
      throws SQLException, IOException {
    Path files = SCHEMAS.resolve(schema);
    execute(Files.readString(files.resolve("schema.sql")));
    execute(Files.readString(files.resolve("data.sql")));
    execute("analyze");
    catalog = files.resolve(name + ".yaml");

    String plan = withoutSizes(migrate("plan").out);

    Path golden = files.resolve(name + ".plan.txt");
    if (System.getProperty("mintmark.golden", "").equals("write")) {
      Files.writeString(golden, plan, StandardCharsets.UTF_8);
    }
    assertThat(plan).isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
  }

  /**
   * Without what depends on the layout of pages, on where the checkout is, and on every statement.
   */
  private String withoutSizes(String plan) {
    return plan.replaceAll("[0-9.]+ (bytes|[KMGT]iB)", "# bytes")
        .replaceAll("(plan|--plan) [0-9a-f]{16}", "$1 #")
        .replace(catalog.toString(), String.valueOf(catalog.getFileName()));
  }

  private String fingerprint() {
    return migrate("plan", "--json").json().get("fingerprint").asString();
  }

  private void declare(String yaml) {
    try {
      Files.writeString(catalog, yaml);
    } catch (IOException e) {
      fail(e);
    }
  }

  private Outcome migrate(String... command) {
    return run(new StringWriter(), arguments(command));
  }

  private String[] arguments(String... command) {
    List<String> arguments = new ArrayList<>(List.of("migrate"));
    arguments.addAll(List.of(command));
    arguments.addAll(List.of("--catalog", catalog.toString(), "--database-url", url()));
    return arguments.toArray(String[]::new);
  }

  private static Outcome run(StringWriter err, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine commandLine = MintmarkCommand.commandLine(arguments);
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    int status = commandLine.execute(arguments);
    return new Outcome(status, out.toString(), err.toString());
  }

  private interface Interlude {
    void run() throws SQLException;
  }

  /** Applies while another has a lock that this needs, and does something once it waits. */
  private Outcome applyBlocked(Interlude interlude) throws SQLException {
    StringWriter err = new StringWriter();
    CompletableFuture<Outcome> run;
    try (Connection other = connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table orders in access share mode");
      run =
          CompletableFuture.supplyAsync(() -> run(err, arguments("apply")), ThreadPerTask.EXECUTOR);
      await(() -> err.toString().contains("waits "), err);
      interlude.run();
      return run.join();
    }
  }

  private static void await(BooleanSupplier condition, StringWriter told) {
    long end = System.nanoTime() + Patience.MAX.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        fail("waited in vain; it told:\n" + told);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  /** Of a database of this test, which is made when it is first asked for. */
  private String url() {
    String known = url;
    if (known == null) {
      known = OwnDatabases.createOfSuperuser();
      url = known;
    }
    return known;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }
}
