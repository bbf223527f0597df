package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run executes no text that a role without the rights of its own could have written. */
@Tag("slow")
class MigrationTrustTest {
  private final TestDatabase database = TestServer.NEWEST.createDatabase();
  private final Migrations migrations = Migrations.over(database.dataSource());

  @BeforeEach
  void create() {
    database.execute(
        """
        do $$ begin create role trust_app login; exception when duplicate_object then end $$;
        do $$ begin create role trust_team; exception when duplicate_object then end $$;
        do $$ begin create role trust_member login; exception when duplicate_object then end $$;
        grant trust_team to trust_member;
        """);
    Orders.create(database);
  }

  private void apply() throws SQLException {
    migrations.apply(Orders.plan(), Orders.PACE, MigrationListener.SILENT);
  }

  private MigrationStatus.LimitStatus limit() throws SQLException {
    return migrations.status().orElseThrow().limits().get(0);
  }

  @Test
  void defaultPrivilegesDoNotApplyToTheTables() throws SQLException {
    database.execute("alter default privileges grant all on tables to trust_app");
    apply();

    assertThat(
            database.rows(
                "select relname from pg_class where relnamespace = 'mintmark'::regnamespace and relacl::text like '%trust_app%'"))
        .isEmpty();
    assertThat(migrations.contract(Orders.PACE, MigrationListener.SILENT))
        .isEqualTo(new MigrationOutcome.Contracted(1));
  }

  @Test
  void stepsAndLimitsThatOthersCanChangeAreNotExecuted() throws SQLException {
    apply();
    for (String privilege :
        List.of(
            "insert on mintmark.key_migration_step",
            "update (undo) on mintmark.key_migration_step",
            "update on mintmark.key_migration_limit",
            "trigger on mintmark.key_migration_wait")) {
      database.execute("grant " + privilege + " to trust_app");

      assertThatThrownBy(() -> migrations.rollback(Orders.PACE, MigrationListener.SILENT))
          .isInstanceOf(MigrationException.class)
          .hasMessageContaining("another role could change what this one runs: trust_app has ");
      assertThat(limit().unknown().orElseThrow()).contains("trust_app has ");

      database.execute("revoke " + privilege + " from trust_app");
    }
    database.execute("grant select, update on mintmark.key_migration to trust_app");
    assertThat(limit().unknown()).isEmpty();
    migrations.rollback(Orders.PACE, MigrationListener.SILENT);
  }

  @Test
  void theTablesOfAnotherRoleAreReadAndNotExecuted() throws SQLException {
    apply();
    database.execute("alter table mintmark.key_migration_limit owner to trust_app");

    assertThatThrownBy(() -> migrations.resume(Orders.PACE, MigrationListener.SILENT))
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("table mintmark.key_migration_limit belongs to trust_app; run it as");
    assertThat(migrations.status().orElseThrow().state()).isEqualTo(MigrationState.BAKING);
    assertThat(limit().unknown().orElseThrow()).contains("belongs to trust_app");
  }

  @Test
  void aViewInThePlaceOfATableIsNotRead() {
    database.execute(
        """
        create schema mintmark authorization trust_app;
        create function mintmark.planted() returns bigint language plpgsql as 'begin raise exception ''planted''; end';
        create view mintmark.key_migration as
          select mintmark.planted() as id, '' as fingerprint, '' as state, false as paused, now() as started_at, now() as run_at, now() as ended_at;
        alter view mintmark.key_migration owner to trust_app;
        """);

    assertThatThrownBy(migrations::status)
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("table mintmark.key_migration belongs to trust_app");
    assertThatThrownBy(migrations::pause).isInstanceOf(MigrationException.class);
    assertThatThrownBy(this::apply)
        .isInstanceOf(MigrationException.class)
        .hasMessageContaining("schema mintmark belongs to trust_app");
  }

  @Test
  void aMemberOfTheOwnerRunsThem() throws SQLException {
    database.execute(
        """
        create schema mintmark authorization trust_team;
        alter table public.orders owner to trust_team;
        grant create on schema public to trust_team;
        grant create on database %s to trust_team
        """
            .formatted(database.name()));
    Migrations ofMember = Migrations.over(database.dataSource("trust_member"));

    ofMember.apply(Orders.plan(), Orders.PACE, MigrationListener.SILENT);

    assertThat(ofMember.status().orElseThrow().state()).isEqualTo(MigrationState.BAKING);
  }
}
