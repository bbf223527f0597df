package dev.mintmark.postgres.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.IdType;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class ServerMintTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private Connection connection;

  @BeforeAll
  static void install() throws SQLException {
    Pack.inSchema(Pack.SCHEMA).install(DATABASE.dataSource());
  }

  @BeforeEach
  void begin() throws SQLException {
    connection = DATABASE.dataSource().getConnection();
    connection.setAutoCommit(false);
  }

  @AfterEach
  void end() throws SQLException {
    connection.close();
  }

  @Test
  void idsAscendAndHaveTheirType() throws SQLException {
    List<Ulid> ulids = ServerMint.ofUlids().take(connection, 50);
    assertThat(ulids).hasSize(50).isSorted().doesNotHaveDuplicates();
    assertThat(ServerMint.of(IdType.uuidsV7()).take(connection, 50))
        .hasSize(50)
        .isSortedAccordingTo(Uuids.UNSIGNED)
        .allMatch(uuid -> uuid.version() == 7);
    assertThat(ServerMint.of(IdType.typeIds("user")).take(connection, 2))
        .extracting(TypeId::prefix)
        .containsOnly("user");
    assertThat(ServerMint.ofUlids().take(connection, 0)).isEmpty();
  }

  /** PostgreSQL 14 to 17 mint UUIDv7s of one microsecond in any order. */
  @Test
  void idsOfOneCallAscendInWhateverOrderTheyAreMinted() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create schema falling;
          create sequence falling.number increment -1 minvalue 1 maxvalue 50 start 50;
          create function falling.uuidv7() returns uuid language sql return
            ('017fe093-7adf-7932-aaaa-' || pg_catalog.lpad(pg_catalog.nextval('falling.number')::text, 12, '0'))::uuid""");
    }

    assertThat(ServerMint.of(IdType.uuidsV7()).inSchema("falling").take(connection, 50))
        .hasSize(50)
        .isSortedAccordingTo(Uuids.UNSIGNED)
        .doesNotHaveDuplicates();
  }

  @Test
  void noIdIsOlderThanItsTransaction() throws SQLException {
    long began;
    try (Statement statement = connection.createStatement();
        var row = statement.executeQuery("select floor(extract(epoch from now()) * 1000)")) {
      row.next();
      began = row.getLong(1);
    }
    assertThat(ServerMint.ofUlids().take(connection, 3)).allMatch(id -> id.timeMillis() >= began);
  }

  @Test
  void blocksMintAheadUntilTheyAreClosed() throws SQLException {
    ServerBlocks<Ulid> blocks = ServerMint.ofUlids().blocks(connection, 3);
    List<Ulid> ids = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      ids.add(blocks.take());
    }
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    blocks.close();
    assertThatThrownBy(blocks::take)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void autoCommitIsRefused() throws SQLException {
    connection.setAutoCommit(true);

    assertThatThrownBy(() -> ServerMint.ofUlids().take(connection, 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("auto-commit");
  }

  @Test
  void missingPackIsExplained() {
    ServerMint<Ulid> mint = ServerMint.ofUlids().inSchema("elsewhere");

    assertThatThrownBy(() -> mint.take(connection, 1))
        .isInstanceOf(SQLException.class)
        .hasMessageStartingWith("the SQL pack is not installed in schema elsewhere");
  }

  @Test
  void whatTheServerCannotMintIsRefused() {
    assertThatThrownBy(() -> ServerMint.of(IdType.snowflakes()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ServerMint.of(IdType.ulids().asText()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ServerMint.ofUlids().take(connection, 10_001))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ServerMint.ofUlids().blocks(connection, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
