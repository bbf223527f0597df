package dev.mintmark.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many connections a server has to its database. */
@Tag("database")
class ServingConnectionsTest {
  private final TestDatabase server = TestDatabase.create();

  @Test
  void aQuarterIsKeptAndAllAreOpenedWhenTheyAreNeeded() throws SQLException {
    String url = "postgresql://postgres@127.0.0.1:%d/%s".formatted(server.port(), server.name());
    try (Database database = Database.connect(DatabaseAddress.parse(url))) {
      DataSource connections = database.servingConnections("test", 8);
      Patience.await("a quarter", () -> sessions() == 2);

      List<Connection> used = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        used.add(connections.getConnection());
      }
      assertThat(sessions()).isEqualTo(8);
      for (Connection connection : used) {
        connection.close();
      }
    }
  }

  private long sessions() {
    return server.number(
        "select count(*) from pg_stat_activity"
            + " where datname = current_database() and application_name = 'mintmark'");
  }
}
