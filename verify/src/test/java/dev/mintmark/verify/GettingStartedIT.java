package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.verify.Mintmark.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/getting-started.md, in their order, beside a server. */
class GettingStartedIT {
  @TempDir static Path directory;

  @Test
  void everyCommandSucceedsAndPrintsWhatIsShown() throws SQLException {
    List<ShownCommand> commands = ShownCommand.of(new Page("docs/getting-started.md"));
    assertThat(commands).hasSizeGreaterThan(10);
    try (RunningServer server =
        RunningServer.start(Mintmark.in(directory), directory.resolve("data"))) {
      Mintmark mintmark = Mintmark.in(directory).with("DATABASE_URL", server.databaseUrl());
      execute(server, "create table orders (id integer primary key, total numeric not null)");
      String port = ":" + server.port() + "/";

      for (ShownCommand command : commands) {
        Outcome outcome = mintmark.shell(command.line().replace(":7300/", port));

        assertThat(outcome.status()).as("%s%n%s", command.line(), outcome.err()).isZero();
        command.assertPrints(outcome.outLines());
      }
    }
  }

  /** A table for the doctor to look at: pages are for readers who have some. */
  private static void execute(RunningServer server, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.databaseUrl());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
