package dev.mintmark.operations.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.fixtures.OnServers;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.operations.migrate.InvalidValues;
import dev.mintmark.operations.migrate.MigrationListener;
import dev.mintmark.operations.migrate.MigrationPlan;
import dev.mintmark.operations.migrate.MigrationPlanner;
import dev.mintmark.operations.migrate.Migrations;
import dev.mintmark.operations.migrate.Pace;
import dev.mintmark.postgres.pack.Pack;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** Every remedy can be followed to the letter, and then its finding is gone. */
@Tag("long")
class RemediesTest {
  /** Findings that are remedied elsewhere than in the database, or with the next change of it. */
  private static final Set<Check> STAY =
      EnumSet.of(Check.BEYOND_JAVASCRIPT, Check.REWRITING_DEFAULT);

  /** What a person decides before the statements of a remedy can run. */
  private static final Map<String, String> BEFORE =
      Map.of(
          "correct the other values first",
          "update mixed set value = gen_random_uuid() where value like 'system-%'");

  /** What the columns that are only called ids refer to, which the doctor cannot know. */
  private static final String REFERENCES =
      """
      alter table loose add foreign key (parent_id) references parents;
      create index on loose (parent_id);
      alter table looser add foreign key (parent_id) references parents;
      create index on looser (parent_id);
      alter table loose add unique ("orderId");
      """;

  private static final Pack PACK = Pack.inSchema(Pack.SCHEMA);

  /** Of all checks but MINT_DRIFT, which compares with a catalog: its remedy is a plan. */
  @OnServers({TestServer.V14, TestServer.V18})
  void aFollowedRemedyEndsItsFinding(TestServer server) throws SQLException {
    TestDatabase database = IllDatabase.create(server);
    PACK.install(database.dataSource());
    Diagnosis before = Doctor.over(database.dataSource()).examine();
    assertThat(before.findings())
        .extracting(Finding::check)
        .containsAll(EnumSet.complementOf(EnumSet.of(Check.MINT_DRIFT)));

    List<String> migrated = new ArrayList<>();
    for (Finding finding : before.findings()) {
      if (finding.remedy().endsWith("see mintmark migrate plan")) {
        migrated.add(finding.object());
      } else if (finding.check() == Check.FROZEN_DEFAULT) {
        assertThat(finding.object()).isEqualTo("public.my_ulid");
        String mint = finding.remedy().replaceFirst(".* or default (.*) \\(mintmark pack.*", "$1");
        database.execute("alter table frozen alter id set default " + mint);
      } else if (finding.check() != Check.LOOSE_IDS && !STAY.contains(finding.check())) {
        follow(database, finding);
      }
    }
    assertThat(migrated)
        .containsExactlyInAnyOrder(
            "public.orders.id", "public.visits.customer_id", "public.ulids.id");
    migrate(database);
    database.execute(REFERENCES);
    database.execute("analyze");
    database.execute(IllDatabase.LARGE);

    Diagnosis after = Doctor.over(database.dataSource()).examine();

    assertThat(after.findings()).filteredOn(finding -> !STAY.contains(finding.check())).isEmpty();
    assertThat(database.number("select count(distinct public_id) from shared")).isEqualTo(100);
    assertThat(database.text("insert into frozen default values returning id"))
        .matches("[0-7][0-9A-HJKMNP-TV-Z]{25}");
    assertThat(database.text("insert into sessions default values returning made::text"))
        .as("a default that makes text still makes the same")
        .matches("[0-9a-f-]{14}4.*");
  }

  /** The statements of a remedy follow a colon, unless it has nothing else. */
  private static void follow(TestDatabase database, Finding finding) {
    BEFORE.forEach(
        (words, statement) -> {
          if (finding.remedy().startsWith(words)) {
            database.execute(statement);
          }
        });
    String remedy = finding.remedy();
    String statements = remedy.substring(remedy.indexOf(": ") < 0 ? 0 : remedy.indexOf(": ") + 2);
    // One by one, because some run in no transaction.
    Arrays.stream(statements.split("; ", -1)).forEach(database::execute);
  }

  private static void migrate(TestDatabase database) throws SQLException {
    Catalog catalog =
        new Catalog(
            "shop",
            List.of(
                CollectionSpec.builder("orders", Kind.SEQUENCE).table("orders").build(),
                CollectionSpec.builder("customers", Kind.SEQUENCE).table("customers").build(),
                CollectionSpec.builder("ulids", Kind.ULID).table("ulids").build()),
            List.of());
    MigrationPlan plan =
        MigrationPlanner.over(database.dataSource(), PACK.sql())
            .plan(catalog, InvalidValues.REFUSE, reading -> {});
    assertThat(plan.refusals()).isEmpty();
    Migrations migrations = Migrations.over(database.dataSource());
    migrations.apply(plan, Pace.FULL, MigrationListener.SILENT);
    migrations.contract(Pace.FULL, MigrationListener.SILENT);
  }
}
