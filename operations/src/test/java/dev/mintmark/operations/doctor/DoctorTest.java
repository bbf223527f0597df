package dev.mintmark.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pack.Pack;
import dev.mintmark.postgres.pool.numbers.SequenceFeed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each check on a database that is ill and on one that is well, on the oldest and newest server.
 */
@Tag("slow")
class DoctorTest {
  /** SQL of a ULID's characters; {@code n} is a column: each row has one of its own. */
  private static final String ULID = "('01FZG96YPZK4SANAG1ZM5T' || lpad(n::text, 4, '0'))";

  @OnServers({TestServer.V14, TestServer.V18})
  void saysThatASequenceWasDroppedMeanwhile(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create sequence gone; create sequence kept");
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set transaction isolation level repeatable read; select from pg_class");
      database.execute("drop sequence gone");
      GuardedReader reader = new GuardedReader(connection);

      var unused = NumberKeys.read(SchemaSnapshot.read(reader, Set.of("public")), reader);

      assertThat(reader.notLookedAt())
          .containsExactly(new NotLookedAt("public.gone", "it was dropped meanwhile"));
      connection.rollback();
    }
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsUlidsThatAreKeptAsTextWithWhatRefersToThem(TestServer server) throws SQLException {
    String tables =
        """
        create table orders (id %1$s primary key, parent_id %1$s references orders, etag text);
        create table lines (order_id %1$s not null references orders, place int, primary key (order_id, place));
        create index on orders (parent_id);
        insert into orders select %2$s%3$s, null, md5(n::text) from generate_series(1, 2000) n;
        insert into lines select id, place from orders, generate_series(1, 6) place;
        analyze;
        """;
    TestDatabase ill = server.createDatabase();
    ill.execute(tables.formatted("text", ULID, ""));
    TestDatabase well = server.createDatabase();
    well.execute(
        tables.formatted(
            "uuid", "('017fe093-7adf-9932-aaaa-' || lpad(n::text, 12, '0'))", "::uuid"));

    Finding finding = only(Check.TEXT_IDS, examine(ill));

    assertThat(finding.object()).isEqualTo("public.orders.id");
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.found())
        .startsWith("ULIDs of 26 characters in 2,000 rows")
        .contains("(public.lines.order_id, public.orders.parent_id)")
        .endsWith("as uuid the tables would be about 150.4 KiB smaller, the indexes 160.2 KiB");
    assertThat(finding.savedBytes())
        .as("11 bytes of each value, 16 of each key in the index of one column")
        .hasValue(2000 * (11 + 16) + 12_000 * (11 + 11));
    assertThat(of(Check.TEXT_IDS, examine(well))).as("md5 is none").isEmpty();
  }

  /** A migration refuses the others, so the finding names one. */
  @OnServers({TestServer.V14, TestServer.V18})
  void namesAValueThatIsNotAnIdentifierAmongThem(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table mixed (id text primary key);
        insert into mixed
        select case when n % 25 = 0 then 'system-' || n else gen_random_uuid()::text end
        from generate_series(1, 1000) n;
        create table other (id text primary key);
        insert into other
        select case when n % 15 = 0 then 'system-' || n else gen_random_uuid()::text end
        from generate_series(1, 1000) n;
        analyze;
        """);

    Finding finding = only(Check.TEXT_IDS, examine(database));

    assertThat(finding.object()).isEqualTo("public.mixed.id");
    assertThat(finding.found())
        .matches(
            "UUIDs of 36 characters in about 9[56789]\\.\\d % of 1,000 rows, by a sample; others are"
                + " such as \"system-\\d+\"; as uuid .*");
    assertThat(finding.remedy()).startsWith("correct the other values first; then make it uuid");
  }

  /** A domain may be over a domain, which may be over another one. */
  @OnServers({TestServer.V14, TestServer.V18})
  void findsKeysOfDomainsOverDomains(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create domain number as integer;
        create domain key_number as number;
        create domain order_number as key_number;
        create table orders (id order_number primary key);
        insert into orders values (2100000000);
        create domain uuid_text as varchar(36);
        create domain customer_id as uuid_text;
        create table customers (id customer_id primary key);
        insert into customers select gen_random_uuid()::text from generate_series(1, 20);
        create domain short_text as varchar(30);
        create domain customer_ref as short_text;
        create table visits (customer_ref customer_ref references customers, order_no smallint references orders);
        create index on visits (customer_ref);
        create index on visits (order_no);
        create domain any_uuid as uuid;
        create domain loose_uuid as any_uuid;
        create table calls (visit_id loose_uuid);
        """);

    Diagnosis diagnosis = examine(database);

    assertThat(only(Check.KEY_RUNS_OUT, diagnosis).object()).isEqualTo("public.orders.id");
    assertThat(only(Check.TEXT_IDS, diagnosis).object()).isEqualTo("public.customers.id");
    assertThat(of(Check.NARROW_REFERENCE, diagnosis))
        .extracting(
            Finding::object, finding -> finding.found().substring(0, finding.found().indexOf(",")))
        .containsExactlyInAnyOrder(
            tuple("public.visits.customer_ref", "varchar(30)"),
            tuple("public.visits.order_no", "int2"));
    assertThat(only(Check.LOOSE_IDS, diagnosis).object()).isEqualTo("public.calls.visit_id");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void samplesTextsThatHaveNoStatistics(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table ulids (id char(26) primary key) with (autovacuum_enabled = off);
        insert into ulids select lower(%s) from generate_series(1, 20) n;
        create table uuids (id varchar(36) primary key) with (autovacuum_enabled = off);
        insert into uuids select gen_random_uuid() from generate_series(1, 20);
        create table names (id text primary key) with (autovacuum_enabled = off);
        insert into names select 'name ' || n from generate_series(1, 20) n;
        """
            .formatted(ULID));

    assertThat(objects(of(Check.TEXT_IDS, examine(database))))
        .containsExactly("public.ulids.id", "public.uuids.id");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void saysWhenKeysRunOutByTheTimesOfTheirRows(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table worn (id serial primary key, created_at timestamptz not null default now());
        insert into worn select n * 100000000, now() - (20 - n) * interval '240 hours'
        from generate_series(1, 20) n;
        select setval('worn_id_seq', 2000000000);
        create table half (id serial primary key, created_at timestamptz not null default now());
        select setval('half_id_seq', 1400000000);
        create table fresh (id serial primary key);
        select setval('fresh_id_seq', 1000000000);
        create table wide (id bigserial primary key);
        select setval('wide_id_seq', 2000000000);
        create sequence numbers maxvalue 1000;
        select setval('numbers', 990);
        create sequence turning maxvalue 1000 cycle;
        select setval('turning', 990);
        """);

    List<Finding> findings = of(Check.KEY_RUNS_OUT, examine(database));

    assertThat(findings)
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly(
            "CRITICAL public.numbers", "CRITICAL public.worn.id", "WARNING public.half.id");
    Finding worn = findings.get(1);
    assertThat(worn.found())
        .startsWith(
            "2,000,000,000 of 2,147,483,647 used, 93.1 %, the end of int4; at 10,000,000 a day")
        .contains("(the last tenth by created_at)");
    assertThat(ChronoUnit.DAYS.between(LocalDate.now(ZoneOffset.UTC), worn.runsOut().orElseThrow()))
        .as("147,483,647 at 10,000,000 a day")
        .isBetween(13L, 15L);
    assertThat(findings.get(2).found()).endsWith("no rate is known");
    assertThat(findings.get(2).runsOut()).isEmpty();
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsSequencesThatEndBeforeTheirColumnsOrAfter(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table grown (id serial primary key);
        alter table grown alter column id type bigint;
        create sequence endless;
        create table small (id int primary key default nextval('endless'));
        create table same (id int generated always as identity primary key);
        """);

    assertThat(of(Check.SEQUENCE_WIDTH, examine(database)))
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly("WARNING public.grown_id_seq", "NOTICE public.endless");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsKeysNearTheirEndThatNoIndexBeginsWith(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table invoices (tenant int, seq int, primary key (tenant, seq));
        insert into invoices select 1, 2147483600 - n from generate_series(0, 99) n;
        create table events (id int, severity int);
        insert into events select 2000000000 - n, 2147483647 from generate_series(1, 1000) n;
        create table early (tenant int, seq int, primary key (tenant, seq));
        insert into early select n, n from generate_series(1, 100) n;
        create table unread (tenant int, seq int, primary key (tenant, seq));
        insert into unread values (1, 2147483647);
        """);
    database.execute("analyze");
    database.execute("delete from pg_statistic where starelid = 'unread'::regclass");

    Diagnosis diagnosis = Doctor.over(database.dataSource()).examine();

    assertThat(of(Check.KEY_RUNS_OUT, diagnosis))
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly("CRITICAL public.events.id", "CRITICAL public.invoices.seq");
    assertThat(of(Check.KEY_RUNS_OUT, diagnosis).get(1).found())
        .startsWith("2,147,483,600 of 2,147,483,647 used at the last analyze, 99.9 %");
    assertThat(diagnosis.notLookedAt())
        .extracting(NotLookedAt::object)
        .contains("values of public.unread.seq");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsSequencesThatAreBehindTheirColumns(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table copied (id int generated by default as identity primary key);
        insert into copied select generate_series(1, 10);
        create table gap (id serial primary key);
        insert into gap values (1000);
        create table ahead (id serial primary key);
        insert into ahead select from generate_series(1, 10);
        create table empty (id serial primary key);
        """);

    List<Finding> findings = of(Check.SEQUENCE_BEHIND, examine(database));

    assertThat(findings)
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly("CRITICAL public.copied.id", "WARNING public.gap.id");
    findings.forEach(finding -> database.execute(finding.remedy()));
    assertThat(of(Check.SEQUENCE_BEHIND, examine(database))).as("remedied").isEmpty();
  }

  /** Its rows go before their numbers come again, as those of a queue. */
  @OnServers({TestServer.V14, TestServer.V18})
  void aSequenceThatCyclesIsBehindOnlyIfItsNextNumberIsTaken(TestServer server)
      throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create sequence turning maxvalue 1000 cycle;
        create table jobs (id bigint primary key default nextval('turning'));
        insert into jobs values (999), (1000);
        select setval('turning', 5);
        create table logs (id bigint default nextval('turning'));
        create index on logs (id);
        insert into logs values (6), (1000);
        """);

    assertThat(ofNumbers(examine(database))).isEmpty();
    database.execute("insert into jobs values (6)");
    assertThat(only(Check.SEQUENCE_BEHIND, examine(database)))
        .extracting(Finding::object, Finding::severity, Finding::remedy)
        .containsExactly(
            "public.jobs.id",
            Severity.CRITICAL,
            "delete rows before the sequence, which cycles, gives their numbers again");
  }

  /** With other bounds a sequence would give numbers of another database. */
  @OnServers({TestServer.V14, TestServer.V18})
  void leavesSequencesThatAreFedFromAPoolAsTheyAre(TestServer server)
      throws SQLException, IOException {
    TestDatabase database = server.createDatabase();
    String role = "reader_of_" + database.name();
    database.execute(feedMigration());
    database.execute(
        """
        create role %1$s login;
        grant usage on schema mintmark to %1$s;
        create table orders (id bigserial primary key);
        alter sequence orders_id_seq maxvalue 1000000;
        select setval('orders_id_seq', 990000);
        insert into orders values (990001);
        create sequence "Loose" maxvalue 1000;
        select setval('"Loose"', 990);
        create table narrow (id int primary key default nextval('"Loose"'));
        insert into narrow values (2000000000);
        create table grown (id serial primary key);
        alter table grown alter column id type bigint;
        grant select on all tables in schema public to %1$s;
        grant select on all sequences in schema public to %1$s;
        """
            .formatted(role));
    List<String> ofGrown =
        List.of("KEY_RUNS_OUT public.narrow.id", "SEQUENCE_WIDTH public.grown_id_seq");
    assertThat(ofNumbers(examine(database)))
        .as("before they are fed")
        .contains(
            "SEQUENCE_BEHIND public.orders.id",
            "KEY_RUNS_OUT public.orders.id",
            "SEQUENCE_WIDTH public.orders_id_seq");
    database.execute(
        """
        insert into mintmark.sequence_feed (sequence, pool, home, first_number, last_number)
        values ('public.orders_id_seq', 'orders', 'here', 1, 1000000), ('public.Loose', 'loose', 'here', 1, 1000)
        """);

    assertThat(ofNumbers(examine(database))).isEqualTo(ofGrown);
    Diagnosis ofReader = Doctor.over(database.dataSource(role)).examine();
    assertThat(ofNumbers(ofReader)).isEqualTo(ofGrown);
    String reason = "it may be fed from a pool, and this role cannot read mintmark.sequence_feed";
    assertThat(ofReader.notLookedAt())
        .containsExactlyInAnyOrder(
            new NotLookedAt("public.orders_id_seq", reason),
            new NotLookedAt("public.\"Loose\"", reason));

    database.execute("grant select on mintmark.sequence_feed to " + role);
    assertThat(Doctor.over(database.dataSource(role)).examine().notLookedAt()).isEmpty();
  }

  private static String feedMigration() throws IOException {
    String file = "/" + SequenceFeed.MIGRATIONS + "/R__sequence_feed.sql";
    try (InputStream sql = SequenceFeed.class.getResourceAsStream(file)) {
      return new String(sql.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<String> ofNumbers(Diagnosis diagnosis) {
    Set<Check> checks = EnumSet.of(Check.SEQUENCE_BEHIND, Check.KEY_RUNS_OUT, Check.SEQUENCE_WIDTH);
    return diagnosis.findings().stream()
        .filter(finding -> checks.contains(finding.check()))
        .map(finding -> finding.check() + " " + finding.object())
        .toList();
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsReferencesThatAreNarrowerThanTheirTargets(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table orders (id bigserial primary key, code varchar(40) unique);
        create table lines (order_id int references orders, code varchar(10) references orders (code));
        create table full_orders (id bigserial primary key);
        insert into full_orders values (2147483000);
        select setval('full_orders_id_seq', 2147483000);
        create table full_lines (order_id int references full_orders);
        create table past_orders (id bigint primary key);
        insert into past_orders values (2147483648);
        create table past_lines (order_id int references past_orders);
        create table wide (order_id bigint references orders, code text references orders (code));
        """);

    List<Finding> findings = of(Check.NARROW_REFERENCE, examine(database));

    assertThat(findings)
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly(
            "CRITICAL public.full_lines.order_id",
            "CRITICAL public.past_lines.order_id",
            "WARNING public.lines.code",
            "WARNING public.lines.order_id");
    assertThat(findings.get(0).found()).endsWith("has come to 99.9 % of what int4 holds");
    assertThat(findings.get(1).found()).endsWith("is past what int4 holds");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsReferencesWithoutAnIndex(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table a (x int, y int, primary key (x, y));
        create table ill (id int primary key, x int, y int, foreign key (x, y) references a);
        create index on ill (x, id, y);
        create table well (x int, y int, id int, foreign key (x, y) references a);
        create index on well (y, x, id);
        create table large (x int, y int, foreign key (x, y) references a);
        update pg_class set reltuples = 10000 where relname = 'large';
        create table b (id int primary key);
        create table partly (b_id int references b);
        create index on partly (b_id) where b_id is not null;
        create table hardly (b_id int references b);
        create index on hardly (b_id) where b_id > 7;
        """);

    assertThat(of(Check.UNINDEXED_REFERENCE, examine(database)))
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly(
            "WARNING public.large (x, y)", "NOTICE public.hardly.b_id", "NOTICE public.ill (x, y)");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsRandomKeysOfLargeTables(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table ill (id uuid primary key default gen_random_uuid());
        create table sampled (id uuid primary key);
        insert into sampled select gen_random_uuid() from generate_series(1, 50);
        create table ordered (id uuid primary key);
        insert into ordered
        select ('017fe093-7adf-7932-aaaa-' || lpad(n::text, 12, '0'))::uuid from generate_series(1, 50) n;
        create table small (id uuid primary key default gen_random_uuid());
        analyze ordered;
        update pg_class set reltuples = 1000000 where relname in ('ill', 'sampled', 'ordered');
        update pg_class set reltuples = 999999 where relname = 'small';
        """);

    assertThat(objects(of(Check.RANDOM_KEYS, examine(database))))
        .containsExactly("public.ill.id", "public.sampled.id");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsDefaultsThatStandStillWithinATransaction(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create function generate_ulid() returns text language plpgsql volatile as
        $$ begin return extract(epoch from now()) || md5(random()::text); end $$;
        create function good_ulid() returns text language plpgsql volatile as
        $$ begin /* not now() */ return extract(epoch from clock_timestamp()) || md5(random()::text); end $$;
        create function sql_ulid() returns text language sql volatile
        return extract(epoch from current_timestamp) || md5(random()::text);
        create table ill (id text primary key default generate_ulid(), created_at timestamptz default now());
        create table also (id text primary key default sql_ulid(), today text default now()::text);
        create table well (id text primary key default good_ulid(), created_at timestamptz default now());
        create table stamped (id bigint primary key default (extract(epoch from now()) * 1000)::bigint);
        create table timed (at timestamptz primary key default current_timestamp);
        create table parts (at timestamptz default now(), id serial, primary key (at, id));
        """);

    assertThat(objects(of(Check.FROZEN_DEFAULT, examine(database))))
        .containsExactly(
            "public.generate_ulid", "public.sql_ulid", "public.stamped.id", "public.timed.at");
  }

  @Test
  void recommendsTheDropInForFunctionsThatMintUlids() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create function own_ulid() returns text language plpgsql as
        $$ begin return '01FZG96YPZ' || upper(translate(left(md5(clock_timestamp()::text), 16), 'ilou', '0000')); end $$;
        create function frozen_ulid() returns uuid language sql as 'select md5(now()::text)::uuid';
        create table users (id text primary key default own_ulid());
        create table frozen (id uuid primary key default frozen_ulid());
        insert into users select from generate_series(1, 20);
        analyze;
        """);

    Diagnosis before = examine(database);
    Pack.inSchema("mintmark").dropIn("own_ulid").install(database.dataSource());
    Pack.inSchema("mintmark").dropIn("frozen_ulid:uuid").install(database.dataSource());
    Diagnosis after = examine(database);

    assertThat(of(Check.TEXT_IDS, before))
        .singleElement()
        .extracting(Finding::remedy)
        .asString()
        .endsWith(
            "the owner of public.own_ulid can have it mint in order: mintmark pack install --compat"
                + " public.own_ulid");
    assertThat(of(Check.FROZEN_DEFAULT, before))
        .singleElement()
        .extracting(Finding::remedy)
        .asString()
        .endsWith(
            ", or replace the function in place: mintmark pack install --compat"
                + " public.frozen_ulid:uuid");
    assertThat(of(Check.TEXT_IDS, after))
        .singleElement()
        .extracting(Finding::remedy)
        .asString()
        .doesNotContain("--compat");
    assertThat(of(Check.FROZEN_DEFAULT, after)).isEmpty();
  }

  /** What the remedy of a frozen default gives must be what the column holds. */
  @OnServers({TestServer.V14, TestServer.V18})
  void theRemedyOfAFrozenDefaultMakesWhatTheColumnHolds(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    Map<String, String> patterns =
        Map.of(
            "ulids", "[0-7][0-9A-HJKMNP-TV-Z]{25}",
            "lowers", "[0-7][0-9a-hjkmnp-tv-z]{25}",
            "uuids", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
            "uppers", "[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}",
            "bare", "[0-9a-f]{32}",
            "news", "[0-7][0-9A-HJKMNP-TV-Z]{25}",
            "natives", "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    database.execute(
        """
        create function stamp(kind text) returns text language sql volatile as
          $$ select kind || extract(epoch from now())::text $$;
        create table ulids (id text primary key default stamp('a'));
        create table lowers (id varchar(26) primary key default stamp('b'));
        create table uuids (id text primary key default stamp('c'));
        create table uppers (id varchar(36) primary key default stamp('d'));
        create table bare (id char(32) primary key default stamp('e'));
        create table news (id text primary key default 'x' || now()::text);
        create table natives (id uuid primary key default md5(now()::text)::uuid);
        create table names (id text primary key default 'user_' || now()::text);
        create table numbers (id bigint primary key default extract(epoch from now())::bigint);
        insert into ulids values ('01FZG96YPZK4SANAG1ZM5T2K9Z');
        insert into lowers values ('01fzg96ypzk4sanag1zm5t2k9z');
        insert into uuids values ('017fe093-7adf-9932-aaaa-01fd0ba14d3f');
        insert into uppers values ('017FE093-7ADF-9932-AAAA-01FD0BA14D3F');
        insert into bare values ('017fe0937adf9932aaaa01fd0ba14d3f');
        insert into names values ('user_1');
        """);
    Pack.inSchema("mintmark").install(database.dataSource());
    Map<String, String> remedies = new TreeMap<>();
    for (String table : List.of("ulids", "lowers", "uuids", "uppers", "bare")) {
      // Each default alone, because one finding is about all columns of a function.
      database.execute(
          "create function stamp_%1$s() returns text language sql as 'select stamp(now()::text)';"
                  .formatted(table)
              + "alter table %1$s alter id set default stamp_%1$s()".formatted(table));
    }

    for (Finding finding : of(Check.FROZEN_DEFAULT, examine(database))) {
      String table = finding.object().replaceAll("public\\.(stamp_)?|\\.id", "");
      remedies.put(table, finding.remedy());
    }

    assertThat(remedies.remove("names")).isEqualTo("take clock_timestamp() there");
    assertThat(remedies.remove("numbers")).isEqualTo("take clock_timestamp() there");
    assertThat(remedies.keySet()).containsExactlyInAnyOrderElementsOf(patterns.keySet());
    for (String table : remedies.keySet()) {
      String mint = remedies.get(table).replaceAll(".*or default (.*) \\(mintmark pack.*", "$1");
      database.execute("alter table %s alter id set default %s".formatted(table, mint));
      assertThat(database.text("insert into %s default values returning id::text".formatted(table)))
          .as(table)
          .matches(patterns.get(table));
    }
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsFrozenTimesBehindOtherFunctions(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create schema inner_;
        create function inner_.make_it(prefix text) returns text language plpgsql as
          $$ begin return prefix || extract(epoch from now()); end $$;
        create function middle() returns text language sql as $$ select inner_ . make_it ('x') $$;
        create function outer_ulid() returns text language sql as $$ select middle() $$;
        create function fine_ulid() returns text language sql as
          $$ select 'x' /* middle() */ || clock_timestamp() $$;
        create table ill (id text primary key default outer_ulid());
        create table well (id text primary key default fine_ulid());
        """);

    Finding finding = only(Check.FROZEN_DEFAULT, examine(database));

    assertThat(finding.object()).isEqualTo("public.outer_ulid");
    assertThat(finding.found()).startsWith("it calls inner_.make_it, which mints from now()");
  }

  /** A table that purges old rows has none near nine tenths of its greatest number. */
  @OnServers({TestServer.V14, TestServer.V18})
  void findsTheRateOfATableThatPurgesOldRows(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table purged (id int primary key, created_at timestamptz not null);
        insert into purged
        select 1990000000 + n, now() - interval '40 days' + n * interval '1 minute'
        from generate_series(1, 57600) n;
        analyze;
        """);

    assertThat(only(Check.KEY_RUNS_OUT, examine(database)).found())
        .contains("at 1,440 a day (the last tenth by created_at)");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsMintsThatGaveOneIdentifierToManyRows(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create function my_uuid() returns uuid language sql stable as 'select gen_random_uuid()';
        create function their_tenant() returns uuid language sql stable as 'select gen_random_uuid()';
        create table ill (name text);
        insert into ill select from generate_series(1, 100);
        alter table ill add column public_id uuid default my_uuid();
        create table well (id uuid primary key, name text, tenant_id uuid default their_tenant());
        alter table well add column public_id uuid default gen_random_uuid();
        insert into well select gen_random_uuid() from generate_series(1, 100);
        create table counted (name text, public_id uuid default gen_random_uuid());
        insert into counted select 'x', '017fe093-7adf-7932-aaaa-000000000000' from generate_series(1, 10);
        insert into counted select from generate_series(1, 90);
        analyze;
        """);

    Diagnosis diagnosis = examine(database);

    assertThat(objects(of(Check.SHARED_IDS, diagnosis)))
        .containsExactly("public.counted.public_id", "public.ill.public_id");
    assertThat(of(Check.SHARED_IDS, diagnosis).get(0).found()).contains("10.0 % of 100 rows");
    assertThat(objects(of(Check.STABLE_MINT, diagnosis))).containsExactly("public.my_uuid");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsDefaultsThatWouldRewriteLargeTables(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table small (id uuid primary key default gen_random_uuid());
        create table large (id uuid primary key default gen_random_uuid());
        create table larger (id uuid primary key default gen_random_uuid());
        create table other (id bigserial primary key);
        update pg_class set relpages = 131072 where relname = 'large';
        update pg_class set relpages = 131073 where relname in ('larger', 'other');
        """);

    assertThat(objects(of(Check.REWRITING_DEFAULT, examine(database))))
        .as("one for each default")
        .containsExactly("public.larger.id");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsNumbersThatJavaScriptRounds(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table tweets (id bigint primary key);
        insert into tweets values (9007199254740992);
        create table exact (id bigint primary key);
        insert into exact values (9007199254740991);
        """);

    assertThat(objects(of(Check.BEYOND_JAVASCRIPT, examine(database))))
        .containsExactly("public.tweets.id");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsWhatUnfinishedChangesLeft(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table a (id int primary key, n int, x int check (x > 0));
        create table b (a_id int);
        create index on b (a_id);
        alter table b add constraint b_a foreign key (a_id) references a not valid;
        alter table a add constraint positive check (id > 0) not valid;
        alter table a add constraint no_key check (n > 0) not valid;
        create index broken on a (n);
        update pg_index set indisvalid = false where indexrelid = 'broken'::regclass;
        """);

    Diagnosis diagnosis = examine(database);

    assertThat(objects(of(Check.INVALID_INDEX, diagnosis))).containsExactly("public.broken");
    assertThat(of(Check.UNVALIDATED_CONSTRAINT, diagnosis))
        .extracting(finding -> finding.severity() + " " + finding.object())
        .containsExactly("WARNING public.b.b_a", "NOTICE public.a.positive");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void anIndexThatAnotherRoleIsBuildingIsNotCalledInvalid(TestServer server) throws Exception {
    TestDatabase database = server.createDatabase();
    String role = "reader_of_" + database.name();
    database.execute(
        """
        create role %s login;
        create table a (id int primary key, n int);
        create table b (id int primary key, n int);
        create index broken on b (n);
        update pg_index set indisvalid = false where indexrelid = 'broken'::regclass;
        """
            .formatted(role));
    try (Connection writer = database.dataSource().getConnection();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute("insert into a values (1, 1)");
      // It waits for the transaction of the writer.
      CompletableFuture<Void> building =
          CompletableFuture.runAsync(
              () -> {
                // Not of execute(), which waits for no more than a while.
                try (Connection builder = database.dataSource().getConnection();
                    Statement build = builder.createStatement()) {
                  build.execute("create index concurrently slow on a (n)");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              ThreadPerTask.EXECUTOR);
      Patience.await(
          "the index is there and waits",
          () ->
              database.number(
                      "select count(*) from pg_stat_progress_create_index where index_relid = to_regclass('slow')")
                  == 1);

      assertThat(objects(of(Check.INVALID_INDEX, examine(database))))
          .as("of a role that sees all")
          .containsExactly("public.broken");
      Diagnosis diagnosis = Doctor.over(database.dataSource(role)).examine();
      assertThat(of(Check.INVALID_INDEX, diagnosis)).isEmpty();
      assertThat(diagnosis.notLookedAt())
          .contains(
              new NotLookedAt(
                  "invalid indexes",
                  "another role is building an index, and only members of pg_read_all_stats see which"));

      writer.rollback();
      building.get();
      assertThat(objects(of(Check.INVALID_INDEX, Doctor.over(database.dataSource(role)).examine())))
          .containsExactly("public.broken");
    } finally {
      database.execute("drop role " + role);
    }
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void findsColumnsThatAreOnlyNamedLikeIds(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table a (id int primary key);
        create table b (
          id int, a_id int references a, user_id bigint, "orderId" text, public_uuid uuid unique,
          paid boolean, valid int, id_card bytea);
        create table c (id int primary key, user_id bigint);
        create table d (id int primary key, user_id text);
        create table e (id int primary key, user_id bigint);
        """);

    List<Finding> findings = of(Check.LOOSE_IDS, examine(database));

    assertThat(objects(findings))
        .containsExactly(
            "public.b.\"orderId\"", "public.b.id", "public.b.user_id", "public.d.user_id");
    assertThat(findings.get(2).found())
        .as("one for each name and type")
        .isEqualTo(
            "named like an id (int8), but in no primary key, unique index or foreign key; the same of"
                + " 2 more of this name: public.c.user_id, public.e.user_id");
    assertThat(findings.get(3).found()).endsWith("foreign key");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void countsAPartitionedTableOnceWithTheRowsOfItsParts(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute(
        """
        create table t (id text not null, n int not null, primary key (id, n)) partition by range (n);
        create table t1 partition of t for values from (0) to (1000);
        create table t2 partition of t for values from (1000) to (2000) partition by range (n);
        create table t2a partition of t2 for values from (1000) to (1500);
        insert into t select %s, n from generate_series(0, 1499) n;
        """
            .formatted(ULID));
    database.execute("analyze t1");
    database.execute("analyze t2a");

    Diagnosis diagnosis = examine(database);

    assertThat(diagnosis.tables()).isEqualTo(1);
    Finding finding = only(Check.TEXT_IDS, diagnosis);
    assertThat(finding.object()).isEqualTo("public.t.id");
    assertThat(finding.found()).contains("in 1,500 rows");
  }

  @Test
  @Tag("long")
  void leavesOutWhatIsNotTheUsers() throws SQLException {
    TestDatabase database = TestDatabase.create();
    database.execute(
        "create schema mine; create table mine.t (id int); create table other_id (id int)");

    Doctor doctor = Doctor.over(database.dataSource());

    assertThat(doctor.examine().tables()).isEqualTo(2);
    DoctorOptions mine = DoctorOptions.defaults().withSchemas(Set.of("mine"));
    assertThat(objects(doctor.examine(mine).findings())).containsExactly("mine.t.id");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> doctor.examine(DoctorOptions.defaults().withSchemas(Set.of("mine", "yours"))))
        .withMessage("there is no schema \"yours\" in this database");
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void tellsWhatARoleWithFewRightsCannotLookAt(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    String role = "reader_of_" + database.name();
    database.execute(
        """
        create role %1$s login;
        create table closed (id serial primary key);
        insert into closed values (5);
        create table texts (id text primary key);
        insert into texts select %2$s from generate_series(1, 20) n;
        create table open (id serial primary key, ref_id int);
        insert into open values (5);
        grant select on open to %1$s;
        grant select on sequence open_id_seq to %1$s;
        create table hidden (id serial primary key);
        alter table hidden enable row level security;
        grant select on hidden, hidden_id_seq to %1$s;
        create schema shut;
        create table shut.t (id int primary key, other_id int);
        grant select on shut.t to %1$s;
        analyze;
        """
            .formatted(role, ULID));

    Diagnosis diagnosis = Doctor.over(database.dataSource(role)).examine();

    assertThat(diagnosis.tables()).isEqualTo(5);
    assertThat(objects(diagnosis.findings()))
        .containsExactly("public.open.id", "public.open.ref_id", "shut.t.other_id");
    assertThat(diagnosis.notLookedAt())
        .containsExactlyInAnyOrder(
            new NotLookedAt("values of public.closed.id", "this role has no SELECT on it"),
            new NotLookedAt("public.closed_id_seq", "this role has no SELECT on it"),
            new NotLookedAt("values of public.texts.id", "this role has no SELECT on it"),
            new NotLookedAt(
                "values of public.hidden.id", "row security would hide rows from this role"),
            new NotLookedAt("values of shut.t.id", "this role has no USAGE on its schema"));

    database.execute("grant pg_read_all_data to " + role);

    assertThat(Doctor.over(database.dataSource(role)).examine().notLookedAt())
        .as("of one that may read all data")
        .containsExactly(
            new NotLookedAt(
                "values of public.hidden.id", "row security would hide rows from this role"));
  }

  @OnServers({TestServer.V14, TestServer.V18})
  void leavesOutATableThatIsLockedAndNeverWaitsForIt(TestServer server) throws SQLException {
    TestDatabase database = server.createDatabase();
    database.execute("create table locked (id serial primary key)");
    database.execute("create table open (id serial primary key, ref_id int)");
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("lock table locked in access exclusive mode");

      Diagnosis diagnosis = examine(database);

      assertThat(objects(diagnosis.findings())).containsExactly("public.open.ref_id");
      assertThat(diagnosis.notLookedAt())
          .containsExactly(
              new NotLookedAt("public.locked", "another session locks the whole table"));
      other.rollback();
    }
  }

  @Test
  void goesOnWhereOneTableCannotBeRead() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t1 (id serial primary key);
        create table t2 (id serial primary key);
        insert into t1 values (5);
        insert into t2 values (5);
        """);
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      // An index can be locked alone, which no list of locked tables shows.
      statement.execute("reindex index t1_pkey");

      Diagnosis diagnosis =
          Doctor.over(database.dataSource())
              .examine(DoctorOptions.defaults().withLockTimeout(Duration.ofMillis(20)));

      assertThat(objects(of(Check.SEQUENCE_BEHIND, diagnosis))).containsExactly("public.t2.id");
      assertThat(diagnosis.notLookedAt())
          .containsExactly(
              new NotLookedAt("values of public.t1.id", "another session holds a lock on it"));
      other.rollback();
    }
  }

  @Test
  void asksOnceMoreForAHundredTables() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    CountingDataSource counting = new CountingDataSource(database.dataSource());
    Doctor doctor = Doctor.over(counting.connections());
    createTables(database, 1, 100);

    doctor.examine();
    int ofHundred = counting.statements();
    createTables(database, 101, 300);
    Diagnosis diagnosis = doctor.examine();

    assertThat(diagnosis.tables()).isEqualTo(300);
    assertThat(only(Check.LOOSE_IDS, diagnosis).found()).contains("299 more of this name");
    assertThat(diagnosis.notLookedAt()).isEmpty();
    assertThat(counting.statements() - 2 * ofHundred)
        .as("one for a hundred sequences and one for a hundred keys more, twice")
        .isEqualTo(4);
  }

  private static void createTables(TestDatabase database, int first, int last) {
    database.execute(
        """
        do $$ begin
          for n in %d..%d loop
            execute format('create table t%%s (id serial primary key, parent_id int)', n);
          end loop;
        end $$
        """
            .formatted(first, last));
  }

  @Test
  void onlyReads() throws SQLException {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    database.execute(
        """
        create table t (id text primary key);
        create table u (id serial primary key, t_id text references t);
        insert into t select %s from generate_series(1, 20) n;
        """
            .formatted(ULID));
    String state =
        "select pg_current_wal_insert_lsn() || ' ' || (select last_value from u_id_seq) || ' '"
            + " || pg_snapshot_xmax(pg_current_snapshot())";
    database.execute("checkpoint");
    try (var pool = database.connectionPool(1)) {
      Doctor.over(pool).examine(); // what the first reading of new rows marks on their pages
      // The server itself writes to its log at times: a doctor that writes does so each time.
      boolean writes = true;
      for (int i = 0; i < 5 && writes; i++) {
        String before = database.text(state);
        Doctor.over(pool).examine();
        writes = !database.text(state).equals(before);
      }
      assertThat(writes).as("written log, sequence, transaction ids").isFalse();
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          var row =
              statement.executeQuery(
                  "select current_setting('transaction_read_only'),"
                      + " current_setting('statement_timeout'), current_setting('search_path')")) {
        assertThat(row.next()).isTrue();
        assertThat(List.of(row.getString(1), row.getString(2), row.getString(3)))
            .as("settings of the connection afterwards")
            .containsExactly("off", "0", "\"$user\", public");
        assertThat(connection.getAutoCommit()).isTrue();
      }
    }
  }

  private static Diagnosis examine(TestDatabase database) throws SQLException {
    Diagnosis diagnosis = Doctor.over(database.dataSource()).examine();
    assertThat(diagnosis.notLookedAt())
        .filteredOn(unseen -> !unseen.reason().equals("another session locks the whole table"))
        .isEmpty();
    return diagnosis;
  }

  private static List<Finding> of(Check check, Diagnosis diagnosis) {
    return diagnosis.findings().stream().filter(finding -> finding.check() == check).toList();
  }

  private static Finding only(Check check, Diagnosis diagnosis) {
    List<Finding> findings = of(check, diagnosis);
    assertThat(findings).hasSize(1);
    return findings.get(0);
  }

  private static List<String> objects(List<Finding> findings) {
    return findings.stream().map(Finding::object).toList();
  }
}
