package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import liquibase.Liquibase;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.diff.DiffResult;
import liquibase.diff.compare.CompareControl;
import liquibase.diff.output.DiffOutputControl;
import liquibase.diff.output.changelog.DiffToChangeLog;
import liquibase.exception.LiquibaseException;
import liquibase.resource.DirectoryResourceAccessor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The pack beside Liquibase, which migrates the tables of the application. */
@Tag("database")
class LiquibaseTest {
  private static final String TABLES =
      """
      create table tracks (
        id uuid primary key default mintmark.ulid(),
        number bigint not null,
        xid xid8 not null default pg_current_xact_id(),
        title text not null);
      create table plays (
        id uuid primary key default mintmark.uuidv7(),
        track uuid not null references tracks);
      create unique index on tracks (xid, id);
      """;

  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  @Test
  void changesOfTheApplicationMayUseThePack() {
    ApplicationContextRunner application =
        new ApplicationContextRunner()
            .withConfiguration(
                AutoConfigurations.of(
                    LiquibaseAutoConfiguration.class,
                    MintmarkAutoConfiguration.class,
                    MintmarkDatabaseAutoConfiguration.class))
            .withBean(DataSource.class, () -> database.dataSource())
            .withPropertyValues(
                "mintmark.pack.install=true",
                "mintmark.pools.install=true",
                "spring.liquibase.change-log=classpath:db/liquibase/changelog.sql");

    application.run(context -> assertThat(context).hasNotFailed());
    application.run(context -> assertThat(context).hasNotFailed());

    assertThat(database.text("select mintmark.ulid_text(id) from tracks")).hasSize(26);
    assertThat(database.rows("select id from databasechangelog")).containsExactly(List.of("1"));
    assertThat(database.number("select count(*) from mintmark.pool_migration")).isEqualTo(13);
  }

  @Test
  void differenceThatLiquibaseAppliedIsEmptyTheSecondTime(@TempDir Path directory)
      throws Exception {
    TestDatabase wanted = TestServer.NEWEST.createDatabase();
    for (TestDatabase each : List.of(wanted, database)) {
      Pack.inSchema(Pack.SCHEMA).install(each.dataSource());
    }
    wanted.execute(TABLES);

    String first = difference(wanted, database);
    assertThat(first).contains("tableName=\"tracks\"").contains("mintmark.ulid()");
    apply(first, directory);

    assertThat(difference(wanted, database)).doesNotContain("<changeSet");
  }

  /** The change log that makes the second database like the first. */
  private static String difference(TestDatabase wanted, TestDatabase present) throws Exception {
    try (Database reference = open(wanted);
        Database target = open(present)) {
      DiffResult difference =
          liquibase.diff.DiffGeneratorFactory.getInstance()
              .compare(reference, target, CompareControl.STANDARD);
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      new DiffToChangeLog(difference, new DiffOutputControl(false, false, false, null))
          .print(new PrintStream(text, true, StandardCharsets.UTF_8));
      return text.toString(StandardCharsets.UTF_8);
    }
  }

  private void apply(String changeLog, Path directory) throws Exception {
    Files.writeString(directory.resolve("difference.xml"), changeLog);
    try (Liquibase liquibase =
        new Liquibase("difference.xml", new DirectoryResourceAccessor(directory), open(database))) {
      liquibase.update("");
    }
  }

  private static Database open(TestDatabase database) throws SQLException, LiquibaseException {
    return DatabaseFactory.getInstance()
        .findCorrectDatabaseImplementation(
            new JdbcConnection(database.dataSource().getConnection()));
  }
}
