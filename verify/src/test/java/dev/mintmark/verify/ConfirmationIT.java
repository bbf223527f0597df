package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands that cannot be undone ask on a terminal, which is a pseudo terminal of {@code script}
 * (util-linux) here, and do not ask a script.
 */
class ConfirmationIT {
  private static EmbeddedDatabase server;
  private static Mintmark mintmark;
  private static Path directory;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory).with("DATABASE", "");
    assumeTrue(mintmark.shell("script --version | grep -q util-linux").status() == 0);
    server = EmbeddedDatabase.startTemporary();
    mintmark = Mintmark.in(directory).with("DATABASE", server.jdbcUrl());
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  /** Runs a command on a terminal, on which a line is typed. */
  private static Outcome onTerminal(String typed, String command) {
    return mintmark.shell(
        "export LAUNCHER=\"$0\"; printf '%s\\n' '"
            + typed
            + "' | script -qec '\"$LAUNCHER\" "
            + command
            + " --database-url \"$DATABASE\"' /dev/null");
  }

  private static Outcome inAScript(String command) {
    return mintmark.shell("\"$0\" " + command + " --database-url \"$DATABASE\"");
  }

  @Test
  @Tag("long")
  void quarantineOfAllValuesAsksForTheNameOfThePool() {
    assertThat(inAScript("pool create doors --block 1..9").status()).isZero();
    String command = "pool quarantine doors --all --for 1d";

    Outcome refused = onTerminal("yes", command);
    Outcome accepted = onTerminal("doors", command);
    Outcome script = inAScript(command);

    assertThat(refused.status()).as(refused.out()).isEqualTo(1);
    assertThat(refused.out())
        .contains("Type the name of the pool (doors) to continue: ")
        .contains("not confirmed: nothing was changed");
    assertThat(accepted.status()).as(accepted.out()).isZero();
    assertThat(accepted.out()).contains("quarantined=9");
    assertThat(script.status()).as(script.err()).isZero();
    assertThat(script.err()).isEmpty();
  }

  @Test
  void aDropInAsksForTheNameOfTheFunction() throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create function public.generate_ulid() returns text language sql as"
              + " $$select '01FZG96YPZK4SANAG1ZM5T2K9Z'$$");
    }

    Outcome refused = onTerminal("yes", "pack install --compat generate_ulid");
    Outcome unchanged = inAScript("pack verify --compat generate_ulid --json");
    Outcome accepted = onTerminal("generate_ulid", "pack install --compat generate_ulid");

    assertThat(refused.status()).as(refused.out()).isEqualTo(1);
    assertThat(refused.out())
        .contains("CREATE OR REPLACE FUNCTION public.generate_ulid()")
        .contains("Type the name of the function (public.generate_ulid) to continue: ");
    assertThat(unchanged.json().get("state").asString()).isEqualTo("replaceable");
    assertThat(accepted.status()).as(accepted.out()).isZero();
    assertThat(accepted.out()).contains("function public.generate_ulid() replaced");
  }

  @Test
  @Tag("long")
  void contractAsksForTheNameOfTheTable() throws IOException, SQLException {
    Files.writeString(
        directory.resolve("mintmark.yaml"),
        """
        namespace: shop
        collections:
          orders: { kind: ulid, table: orders, column: public_id }
        """);
    try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
        Statement statement = connection.createStatement()) {
      statement.execute("create table orders (id bigint primary key)");
    }
    assertThat(inAScript("migrate apply").status()).isZero();

    Outcome refused = onTerminal("", "migrate contract");
    Outcome status = inAScript("migrate status --json");
    Outcome accepted = onTerminal("orders", "migrate contract");

    assertThat(refused.status()).as(refused.out()).isEqualTo(1);
    assertThat(refused.out()).contains("Type the name of the table (public.orders) to continue: ");
    assertThat(status.json().get("state").asString()).isEqualTo("baking");
    assertThat(accepted.status()).as(accepted.out()).isZero();
    assertThat(accepted.out()).contains("migration 1 is contracted");
  }
}
