package dev.mintmark.hibernate;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.jdbc.spi.JdbcServices;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;

/** Checks at start that the column of an attribute has a default, if its table exists. */
final class ColumnDefault {
  private static final String MISSING =
      """
      select not a.atthasdef and a.attidentity = ''
      from pg_catalog.pg_attribute a
      where a.attrelid = pg_catalog.to_regclass(?) and a.attname = ? and not a.attisdropped
      """;

  private ColumnDefault() {}

  static void check(AttributeType attribute, GeneratorCreationContext context) {
    Property property = context.getProperty();
    Table table = property.getValue().getTable();
    if (property.getColumns().size() != 1) {
      throw attribute.mistake("@MintedByDatabase requires one column");
    }
    Column column = property.getColumns().get(0);
    JdbcConnectionAccess access =
        context
            .getServiceRegistry()
            .requireService(JdbcServices.class)
            .getBootstrapJdbcConnectionAccess();
    try {
      Connection connection = access.obtainConnection();
      try {
        if (isMissing(connection, name(table), folded(column.isQuoted(), column.getName()))) {
          throw attribute.mistake(
              "@MintedByDatabase: column %s of %s has no default: alter table %s alter column %s set default mintmark.ulid()"
                  .formatted(
                      column.getQuotedName(), name(table), name(table), column.getQuotedName()));
        }
      } finally {
        access.releaseConnection(connection);
      }
    } catch (SQLException e) {
      throw attribute.mistake(
          "@MintedByDatabase: the default of the column could not be read: " + e.getMessage());
    }
  }

  /** The name of the table as SQL, with its schema if the mapping has one. */
  private static String name(Table table) {
    return table.getSchema() == null
        ? table.getQuotedName()
        : table.getQuotedSchema() + "." + table.getQuotedName();
  }

  private static String folded(boolean quoted, String name) {
    return quoted ? name : name.toLowerCase(Locale.ROOT);
  }

  private static boolean isMissing(Connection connection, String table, String column)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(MISSING)) {
      statement.setString(1, table);
      statement.setString(2, column);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }
}
