package dev.mintmark.app.storm;

import dev.mintmark.app.database.CloseAtExit;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The table of a {@link Rival} with the addresses of a storm, in a schema that is dropped when this
 * is closed. For one thread.
 */
final class RivalTable implements CloseAtExit.Resource {
  private static final int INSERT_BATCH = 10_000;

  private final DataSource connections;
  private final String schema;

  /**
   * Creates the schema and the table in it.
   *
   * @param schema a rehearsal and the storm after it use the same name, so that the prepared
   *     statements of the connections stay valid
   */
  RivalTable(Storm storm, Rival rival, String schema, DataSource connections) {
    this.connections = connections;
    this.schema = schema;
    try (Connection connection = connections.getConnection()) {
      execute(connection, "create schema " + schema);
      connection.setSchema(schema);
      execute(connection, rival.table().ddl());
      if (rival.table().isSeeded()) {
        seed(connection, storm);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's table: " + e.getMessage(), e);
    }
  }

  private static void seed(Connection connection, Storm storm) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into ip_address (id, ip) values (?, ?::inet)")) {
      long addresses = storm.addresses();
      for (long place = 0; place < addresses; place++) {
        insert.setLong(1, place + 1);
        insert.setString(2, storm.addressAt(place));
        insert.addBatch();
        if ((place + 1) % INSERT_BATCH == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
  }

  @Override
  public void close() {
    try (Connection connection = connections.getConnection()) {
      execute(connection, "drop schema " + schema + " cascade");
    } catch (SQLException e) {
      throw new IllegalStateException("the rival's schema: " + e.getMessage(), e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
